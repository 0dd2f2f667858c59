// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/call_times.hpp"

#include "core/error.hpp"
#include "trace/duration_collector.hpp"

#include <numeric>

namespace tracefold {

namespace {

void add(const TimingModel& model, CallTimes& times) {
    for (const TimingModel::Node& node : model.nodes) {
        times.inside[node.symbol] += node.durations.all.sum();
        times.total += node.durations.all.sum();
    }
    for (const TimingModel::Edge& edge : model.edges) {
        times.before[edge.to] += edge.durations.all.sum();
        times.total += edge.durations.all.sum();
    }
}

CallTimes no_times(const TraceFile& file) {
    const std::size_t symbols = file.structure().symbols.size();
    return {std::vector<u64>(symbols, 0), std::vector<u64>(symbols, 0), 0};
}

double part(u64 ticks, u64 executions, u64 of_all) {
    return of_all == 0 ? 0
                       : static_cast<double>(ticks) * static_cast<double>(executions) /
                             static_cast<double>(of_all);
}

}  // namespace

void CallTimes::add(const CallTimes& other) {
    for (std::size_t symbol = 0; symbol < inside.size(); ++symbol) {
        inside[symbol] += other.inside[symbol];
        before[symbol] += other.before[symbol];
    }
    total += other.total;
}

CallTimes call_times_of(TraceFile& file, const std::vector<u32>& locations) {
    CallTimes times = no_times(file);
    for (const u32 location : locations) add(durations_of_location(file, location), times);
    return times;
}

std::optional<CallTimes> call_times(TraceFile& file) {
    const TimingLevel level = file.summary().timing;
    if (level == TimingLevel::histogram) {
        CallTimes times = no_times(file);
        add(file.durations(), times);
        return times;
    }
    if (!keeps_every_time(level)) return std::nullopt;
    std::vector<u32> locations(file.location_count());
    std::iota(locations.begin(), locations.end(), 0U);
    return call_times_of(file, locations);
}

std::optional<CallTimes> call_times_at_hand(TraceFile& file, bool wanted) {
    if (!wanted && file.summary().timing != TimingLevel::histogram) return std::nullopt;
    std::optional<CallTimes> times = call_times(file);
    if (!times) {
        throw Error(ErrorKind::usage, "there are no times to show: the file keeps none");
    }
    return times;
}

LineTimes line_times(const ListedScript& script, const CallTimes& times,
                     const ExecutionCounts& counts) {
    LineTimes lines;
    std::vector<double> with_computation;
    for (const ListedNode& node : script.nodes) {
        const auto visits = static_cast<double>(node.visits == 0 ? 1 : node.visits);
        lines.iterations.push_back(static_cast<double>(node.executions) / visits);
        if (node.is_loop()) {
            double body = 0;
            for (const u32 item : node.body) body += with_computation[item];
            lines.per_visit.push_back(body * lines.iterations.back());
            with_computation.push_back(lines.per_visit.back());
            continue;
        }
        const u64 all = counts.calls(node.symbol);
        const double inside = part(times.inside[node.symbol], node.executions, all);
        const double before = part(times.before[node.symbol], node.executions, all);
        lines.per_visit.push_back(inside / visits);
        with_computation.push_back((inside + before) / visits);
        lines.total += inside + before;
    }
    return lines;
}

}  // namespace tracefold
