// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/statistics.hpp"

#include "common/text.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/core.h>

namespace tracefold {

namespace {

Spread spread(const std::vector<RunTimes>& runs, double RunTimes::*what) {
    Spread spread;
    if (runs.empty()) return spread;
    const auto count = static_cast<double>(runs.size());
    spread.minimum = runs.front().*what;
    for (const RunTimes& run : runs) {
        spread.minimum = std::min(spread.minimum, run.*what);
        spread.maximum = std::max(spread.maximum, run.*what);
        spread.mean += run.*what / count;
    }
    double squares = 0;
    for (const RunTimes& run : runs) squares += std::pow(run.*what - spread.mean, 2);
    spread.deviation = std::sqrt(squares / count);
    return spread;
}

}  // namespace

TimeSpreads spreads_of_runs(const ReplayResult& result) {
    return {spread(result.runs, &RunTimes::wall), spread(result.runs, &RunTimes::communication),
            spread(result.runs, &RunTimes::computation)};
}

std::vector<CallsOfSize> calls_by_size(const ReplayResult& result, double scale) {
    std::map<std::pair<MpiFunction, u64>, CallsOfSize> all;
    for (const RunTimes& run : result.runs) {
        for (const MeasuredCalls& calls : run.calls) {
            CallsOfSize& sum = all[{calls.function, calls.from_bytes}];
            sum.calls = calls.calls;
            sum.bytes = calls.bytes;
            sum.scale = scale;
            sum.seconds += calls.seconds / static_cast<double>(result.runs.size());
            sum.shortest =
                sum.runs.empty() ? calls.shortest : std::min(sum.shortest, calls.shortest);
            sum.runs.push_back({calls.seconds, calls.shortest, calls.median});
        }
    }
    std::vector<CallsOfSize> list;
    for (auto& [key, calls] : all) {
        calls.function = name_of(key.first);
        calls.from_bytes = key.second;
        calls.median = median_of(calls.medians());
        list.push_back(std::move(calls));
    }
    return list;
}

namespace {

/// Two decimals: excesses over a small tolerance must be visible.
std::string percentage(double share) { return format_percent(share, 2); }

std::string of(u64 issued, u64 wanted) { return fmt::format("{} of {}", issued, wanted); }

bool exceeds_tolerance(const ReplayArguments& arguments, const Fidelity& fidelity) {
    return arguments.tolerance && fidelity.worst_difference > *arguments.tolerance;
}

std::string counts_line(const ReplayArguments& arguments, const ReplayResult& result) {
    const Fidelity& fidelity = result.fidelity;
    std::string line = "issued: " + of(fidelity.issued_calls, fidelity.trace_calls) + " calls, " +
                       of(fidelity.issued_bytes, fidelity.trace_bytes) + " bytes";
    if (arguments.options.bytes_scale != 1.0)
        line += ", scaled by " + std::to_string(arguments.options.bytes_scale);
    if (result.left_out != 0) {
        line += fmt::format("; left out on request: {} calls", result.left_out);
    }
    return line;
}

std::string order_line(const ReplayResult& result) {
    if (result.issues_nothing()) return "order: not proven, nothing was issued";
    if (!result.proof) return "order: that of the trace on every rank; --verify proves it";
    return fmt::format("order and arguments: compared call by call, {}{}",
                       result.proof->differences,
                       result.proof->differences == 1 ? " difference" : " differences");
}

std::string deltas_line(const ReplayArguments& arguments, const Fidelity& fidelity) {
    std::string line = "deltas " + std::string(word_of(arguments.options.deltas)) + ": ";
    if (fidelity.asked_computation <= 0) return line + "no computation between calls";
    return line + "computation " + format_time(fidelity.achieved_computation) + " for " +
           format_time(fidelity.asked_computation) + " on all ranks together, at most " +
           percentage(fidelity.worst_difference) + " off on a rank";
}

/// Empty if every thread can have its own processor.
std::string occupancy_line(const ReplayArguments& arguments, const ReplayResult& result) {
    const std::optional<Oversubscription> crowded =
        result.measurements.occupancy.oversubscription();
    if (!crowded) return {};
    std::string line = fmt::format("processors: {} ranks", crowded->ranks);
    if (crowded->threads != crowded->ranks)
        line += fmt::format(" with {} threads", crowded->threads);
    line += fmt::format(" share {}", crowded->processors);
    if (crowded->nodes > 1) {
        line += fmt::format(", on {} of {} nodes", crowded->oversubscribed_nodes, crowded->nodes);
    }
    line += "; times are unreliable";
    if (arguments.options.deltas != Deltas::none) line += ", and computation times cannot be met";
    return line;
}

}  // namespace

u64 spread_bytes(const ReplayResult& result) {
    const bool recorded =
        result.inferences[static_cast<std::size_t>(Inference::collective_sized)] == 0;
    u64 bytes = 0;
    for (const CallTotals& call : result.totals) {
        switch (collective_kind(call.function).value_or(CollectiveKind::barrier)) {
            case CollectiveKind::gatherv:
            case CollectiveKind::scatterv:
            case CollectiveKind::allgatherv:
                if (recorded) break;  // the size of every rank is known
                [[fallthrough]];
            case CollectiveKind::alltoallv:
            case CollectiveKind::alltoallw:
                bytes += call.sent + call.received;
                break;
            default:
                break;
        }
    }
    return bytes;
}

std::vector<std::string> shortfalls(const ReplayArguments& arguments, const ReplayResult& result) {
    std::vector<std::string> found;
    const Fidelity& fidelity = result.fidelity;
    if (arguments.options.verify && result.left_out != 0 && !arguments.allow_left_out) {
        found.push_back(fmt::format(
            "{} calls were left out on request; --allow-left-out accepts this", result.left_out));
    }
    if (!fidelity.counts_match() && !arguments.allow_left_out) {
        found.push_back(fmt::format(
            "the trace has {} calls with {} bytes, but {} calls with {} bytes were issued",
            fidelity.trace_calls, fidelity.trace_bytes, fidelity.issued_calls,
            fidelity.issued_bytes));
    }
    if (result.issues_nothing()) {
        found.push_back(
            result.communicating == 0
                ? "the trace has messages, but none in an MPI call that can be issued: nothing was "
                  "replayed"
                : fmt::format("none of the {} calls that communicate was issued: nothing was "
                              "replayed",
                              result.communicating));
    }
    if (result.proof && result.proof->differences != 0) {
        found.push_back(std::to_string(result.proof->differences) +
                        " calls differ from those of the trace");
    }
    if (exceeds_tolerance(arguments, fidelity)) {
        found.push_back("the computation of a rank is " + percentage(fidelity.worst_difference) +
                        " off, more than the tolerance of " + percentage(*arguments.tolerance));
    }
    return found;
}

std::vector<std::string> fidelity_statement(const ReplayArguments& arguments,
                                            const ReplayResult& result) {
    std::vector<std::string> lines = {counts_line(arguments, result), order_line(result),
                                      deltas_line(arguments, result.fidelity)};
    if (const u64 bytes = spread_bytes(result); bytes != 0) {
        u64 all = 0;
        for (const CallTotals& call : result.totals) all += call.sent + call.received;
        lines.push_back(
            fmt::format("spread over partners, as only sums are recorded: {}, {} of all bytes",
                        format_size(bytes),
                        format_percent(static_cast<double>(bytes) / static_cast<double>(all))));
    }
    if (arguments.mapping != RankMapping::given || arguments.idle_processes != 0) {
        lines.push_back(fmt::format("rank mapping: {}; idle processes: {}",
                                    word_of(arguments.mapping), arguments.idle_processes));
    }
    if (result.stopped) {
        lines.push_back(fmt::format("stopped by the time limit after {} of {} repetitions",
                                    result.runs.size(), arguments.options.repetitions));
    }
    for (const CallTotals& call : result.totals) {
        if (call.not_issued == 0) continue;
        lines.push_back(fmt::format("not issued: {} {} ({})", call.not_issued,
                                    name_of(call.function),
                                    why_not_issued(name_of(call.function))));
    }
    for (const auto& [name, count] : result.left_out_calls) {
        lines.push_back(fmt::format("left out: {} {} ({})", count, name, why_not_issued(name)));
    }
    if (result.proof && !result.proof->substitutes.empty()) {
        std::string names;
        for (const auto& [name, count] : result.proof->substitutes)
            names += fmt::format("; {} issued as {}: {}", name.first, name.second, count);
        lines.push_back(fmt::format("substituted: {} of {} calls{}", result.proof->substituted(),
                                    result.proof->calls, names));
    }
    const std::string occupancy = occupancy_line(arguments, result);
    if (!occupancy.empty()) lines.push_back(occupancy);
    return lines;
}

}  // namespace tracefold
