// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/compare/comparison.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "model/mpi_function.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace tracefold {

namespace {

using Json = nlohmann::json;

constexpr u64 kLargestReport = 256U << 20U;
constexpr int kMostLevels = 100;

/// Reads one report; errors name it.
class ReportReader {
  public:
    explicit ReportReader(const std::string& path) : path_(path) {}

    MachineReport read() {
        const Json json = parsed();
        check_schema(json);
        MachineReport report;
        report.path = path_;
        report.name = std::filesystem::path(path_).stem().string();
        report.input = text(json, "input");
        report.choices = choices(json);
        report.ranks = count(json, "ranks");
        if (report.ranks == 0) refuse("it has no ranks");
        report.calls = count(json, "calls");
        environment(member(json, "environment"), report);
        const Json& met = member(member(json, "fidelity"), "met");
        report.met = met.is_boolean() && met.get<bool>();
        report.oversubscribed = json.contains("oversubscription");
        report.times = times(member(json, "replayed"));
        report.launches.push_back(runs(member(json, "repetitions")));
        const double scale = seconds(json, "bytes_scale");
        const std::size_t repetitions = report.launches.front().size();
        for (const Json& calls : list(json, "calls_by_size")) {
            report.sizes.push_back(sized(calls));
            report.sizes.back().scale = scale;
            if (report.sizes.back().runs.size() != repetitions)
                refuse("calls have another number of repetitions");
        }
        add_merit(report);
        for (const Json& rank : list(json, "ranks_in_detail"))
            report.ranks_in_detail.push_back(reported(rank));
        return report;
    }

  private:
    [[noreturn]] void refuse(const std::string& why) const {
        throw Error(ErrorKind::corrupt, "{} is not a report that can be compared: {}", path_, why);
    }

    [[nodiscard]] Json parsed() const {
        const InputFile file(path_);
        if (file.size() > kLargestReport) refuse("it is larger than 256 MiB");
        const auto is_flat = [this](int depth, Json::parse_event_t /*event*/, Json& /*value*/) {
            if (depth > kMostLevels) refuse("it has more than 100 levels");
            return true;
        };
        Json json = Json::parse(file.read_at(0, file.size()), is_flat, false);
        if (json.is_discarded()) refuse("it is not JSON");
        return json;
    }

    void check_schema(const Json& json) const {
        const Json schema = json.is_object() ? json.value("schema", Json()) : Json();
        if (!schema.is_object() || schema.value("name", Json()) != "tracefold.replay") {
            throw Error(ErrorKind::unsupported,
                        "{} is not a report of trace_replay; --compare takes .json files that "
                        "--report wrote",
                        path_);
        }
        if (json.contains("trace") && json.contains("options") && json.contains("environment"))
            return;
        throw Error(
            ErrorKind::unsupported,
            "{} is a report of an older release, without the repetitions of calls; replay the "
            "trace again",
            path_);
    }

    [[nodiscard]] const Json& member(const Json& json, const char* name) const {
        if (!json.is_object() || !json.contains(name))
            refuse(std::string("it has no \"") + name + "\"");
        return json[name];
    }
    [[nodiscard]] const Json& list(const Json& json, const char* name) const {
        const Json& value = member(json, name);
        if (!value.is_array()) refuse(std::string("\"") + name + "\" is not a list");
        return value;
    }
    [[nodiscard]] std::string text(const Json& json, const char* name) const {
        const Json& value = member(json, name);
        if (!value.is_string()) refuse(std::string("\"") + name + "\" is not a string");
        return value.get<std::string>();
    }
    [[nodiscard]] u64 count(const Json& json, const char* name) const {
        const Json& value = member(json, name);
        if (!value.is_number_unsigned()) refuse(std::string("\"") + name + "\" is not a count");
        return value.get<u64>();
    }
    /// Seconds; a computation time may be slightly negative by rounding.
    [[nodiscard]] double seconds(const Json& json, const char* name) const {
        const Json& value = member(json, name);
        if (!value.is_number() || !std::isfinite(value.get<double>())) {
            refuse(std::string("\"") + name + "\" is not a time in seconds");
        }
        return value.get<double>();
    }

    [[nodiscard]] std::vector<ReplayChoice> choices(const Json& json) const {
        std::vector<ReplayChoice> all = {{"trace", text(json, "trace")},
                                         {"ranks", std::to_string(count(json, "ranks"))}};
        const auto add = [&all](const char* option, const Json& from, const char* name,
                                const Json& absent = {}) {
            const Json value = from.value(name, absent);
            all.push_back({option, value.is_null()     ? "none"
                                   : value.is_string() ? value.get<std::string>()
                                                       : value.dump()});
        };
        add("--deltas", json, "deltas");
        if (all.back().value == "sample") add("--seed", json, "seed");
        add("--compute-scale", json, "compute_scale");
        add("--bytes-scale", json, "bytes_scale");
        const Json& options = member(json, "options");
        if (!options.is_object()) refuse("\"options\" is not an object");
        for (const auto& [option, name] :
             std::initializer_list<std::pair<const char*, const char*>>{
                 {"--sleep", "sleep"},
                 {"--wildcards", "wildcards"},
                 {"--neighbour-bytes", "neighbour_bytes"},
                 {"--from", "from"},
                 {"--to", "to"},
                 {"--unsupported", "unsupported"}}) {
            add(option, options, name);
        }
        add("--buffers", options, "buffers", "host");
        return all;
    }

    void environment(const Json& json, MachineReport& report) const {
        report.mpi = text(json, "mpi");
        report.dates = {text(json, "date")};
        report.tracefold = text(json, "tracefold");
        for (const Json& node : list(json, "nodes")) {
            ++report.nodes;
            report.processors += count(node, "processors");
        }
    }

    [[nodiscard]] std::vector<ReportedRun> runs(const Json& json) const {
        std::vector<ReportedRun> all;
        for (const Json& run : list(json, "list")) {
            all.push_back({seconds(run, "wall"), seconds(run, "communication"), 0,
                           seconds(run, "waited_for_processor")});
            if (all.back().wall <= 0) refuse("a repetition took no time");
        }
        if (all.empty()) refuse("it has no repetition");
        return all;
    }

    [[nodiscard]] Spread spread(const Json& json, const char* name) const {
        const Json& of = member(json, name);
        return {seconds(of, "min"), seconds(of, "mean"), seconds(of, "max"), seconds(of, "std")};
    }
    [[nodiscard]] TimeSpreads times(const Json& json) const {
        return {spread(json, "wall"), spread(json, "communication"), spread(json, "computation")};
    }

    [[nodiscard]] CallsOfSize sized(const Json& json) const {
        CallsOfSize calls{text(json, "function"),
                          count(json, "from_bytes"),
                          count(json, "calls"),
                          count(json, "bytes"),
                          seconds(json, "replayed_seconds"),
                          seconds(json, "shortest_seconds"),
                          seconds(json, "median_seconds"),
                          1,
                          {}};
        for (const Json& run : list(json, "repetitions")) {
            calls.runs.push_back(
                {seconds(run, "seconds"), seconds(run, "shortest"), seconds(run, "median")});
        }
        if (calls.seconds < 0 || calls.shortest < 0) refuse("a call has a negative time");
        return calls;
    }

    [[nodiscard]] ReportedRank reported(const Json& json) const {
        const Json& replayed = member(json, "replayed");
        return {count(json, "rank"), json.contains("host") ? text(json, "host") : "",
                seconds(replayed, "wall"), seconds(replayed, "communication"),
                seconds(replayed, "computation")};
    }

    /// Of what a faster network could shorten: calls on files depend on disks.
    static void add_merit(MachineReport& report) {
        for (const CallsOfSize& calls : report.sizes) {
            if (part_of(calls.function) == CallPart::nothing ||
                calls.function.starts_with("MPI_File_"))
                continue;
            const double count =
                static_cast<double>(calls.calls) / static_cast<double>(report.ranks);
            for (std::size_t i = 0; i < calls.runs.size(); ++i)
                report.launches.front()[i].merit += count * calls.runs[i].median;
        }
    }

    const std::string& path_;
};

}  // namespace

namespace {

/// Rejects reports of different requests.
void check_same(const MachineReport& first, const MachineReport& other) {
    std::string differences;
    for (std::size_t i = 0; i < std::min(first.choices.size(), other.choices.size()); ++i) {
        if (first.choices[i] == other.choices[i]) continue;
        differences +=
            fmt::format("{}{} is {} instead of {}", differences.empty() ? "" : ", ",
                        other.choices[i].name, other.choices[i].value, first.choices[i].value);
        if (first.choices[i].name == "trace") break;  // further differences would be meaningless
    }
    if (differences.empty()) return;
    throw Error(ErrorKind::unsupported, "{} cannot be compared with {}: {}", other.path, first.path,
                differences);
}

void add_launch(MachineReport& all, const MachineReport& launch) {
    check_same(all, launch);
    const auto count = static_cast<double>(all.launches.size());
    const auto later = std::ranges::upper_bound(all.dates, launch.dates.front());
    all.launches.insert(all.launches.begin() + (later - all.dates.begin()),
                        launch.launches.front());
    all.dates.insert(later, launch.dates.front());
    all.met &= launch.met;
    all.oversubscribed |= launch.oversubscribed;
    const auto unite = [count](Spread& spread, const Spread& more) {
        spread = {std::min(spread.minimum, more.minimum),
                  (spread.mean * count + more.mean) / (count + 1),
                  std::max(spread.maximum, more.maximum),
                  (spread.deviation * count + more.deviation) / (count + 1)};
    };
    unite(all.times.wall, launch.times.wall);
    unite(all.times.communication, launch.times.communication);
    unite(all.times.computation, launch.times.computation);
    for (CallsOfSize& calls : all.sizes) {
        const auto more = std::ranges::find_if(launch.sizes, [&calls](const CallsOfSize& other) {
            return other.function == calls.function && other.from_bytes == calls.from_bytes;
        });
        if (more == launch.sizes.end()) continue;
        calls.seconds = (calls.seconds * count + more->seconds) / (count + 1);
        calls.shortest = std::min(calls.shortest, more->shortest);
        calls.runs.insert(calls.runs.end(), more->runs.begin(), more->runs.end());
    }
}

}  // namespace

u64 MachineReport::repetitions() const {
    u64 sum = 0;
    for (const std::vector<ReportedRun>& launch : launches) sum += launch.size();
    return sum;
}

double MachineReport::delayed() const {
    double wall = 0;
    double waited = 0;
    for (const std::vector<ReportedRun>& launch : launches) {
        for (const ReportedRun& run : launch) {
            wall += run.wall;
            waited += run.delayed;
        }
    }
    return waited / wall;
}

bool Comparison::disturbed() const {
    return !by_launch && std::ranges::any_of(reports, [](const MachineReport& report) {
        return report.delayed() > kDisturbed;
    });
}

std::vector<double> MachineReport::values(const JudgedQuantity& quantity, bool by_launch) const {
    std::vector<double> all;
    for (const std::vector<ReportedRun>& launch : launches) {
        std::vector<double> of_launch;
        for (const ReportedRun& run : launch) of_launch.push_back(run.*quantity.value);
        if (by_launch) of_launch = {median_of(of_launch)};
        all.insert(all.end(), of_launch.begin(), of_launch.end());
    }
    return all;
}

bool took_turns(const MachineReport& first, const MachineReport& other) {
    const std::size_t launches = first.dates.size();
    if (launches < kLeastPairs || other.dates.size() != launches) return false;
    for (std::size_t i = 0; i < launches; ++i) {
        if (first.dates[i] == other.dates[i]) return false;
        if (i + 1 == launches) break;
        if (std::max(first.dates[i], other.dates[i]) >=
            std::min(first.dates[i + 1], other.dates[i + 1]))
            return false;
    }
    return true;
}

MachineReport read_machine_report(const std::string& path) {
    if (!std::filesystem::is_directory(path)) return ReportReader(path).read();
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
        if (entry.path().extension() == ".json") files.push_back(entry.path().string());
    }
    if (files.empty()) throw Error(ErrorKind::usage, "{} has no reports (.json)", path);
    std::ranges::sort(files);
    MachineReport all = ReportReader(files.front()).read();
    for (const std::string& file : files) {
        if (file != files.front()) add_launch(all, ReportReader(file).read());
    }
    for (CallsOfSize& calls : all.sizes) calls.median = median_of(calls.medians());
    const std::filesystem::path folder(path);
    all.path = path;
    all.name = (folder.has_filename() ? folder : folder.parent_path()).filename().string();
    return all;
}

namespace {

/// Reports with equal file names use the whole path.
void name_apart(std::vector<MachineReport>& reports) {
    std::map<std::string, int> times;
    for (const MachineReport& report : reports) ++times[report.name];
    for (MachineReport& report : reports) {
        if (times[report.name] > 1) report.name = report.path;
    }
}

using CallKey = std::pair<std::string, u64>;

/// Rows by function and size, in order of first appearance in the reports.
class CallRows {
  public:
    explicit CallRows(std::size_t reports) : reports_(reports) {}

    void add(std::size_t report, const CallsOfSize& calls) {
        const auto [place, added] =
            places_.try_emplace({calls.function, calls.from_bytes}, rows_.size());
        if (added) {
            rows_.push_back({calls.function, calls.from_bytes, part_of(calls.function), {}});
            rows_.back().reports.resize(reports_);
        }
        rows_[place->second].reports[report] = calls;
    }
    std::vector<ComparedCalls> take() { return std::move(rows_); }

  private:
    std::size_t reports_;
    std::map<CallKey, std::size_t> places_;
    std::vector<ComparedCalls> rows_;
};

std::vector<ComparedCalls> compared_calls(const std::vector<MachineReport>& reports) {
    CallRows rows(reports.size());
    for (std::size_t i = 0; i < reports.size(); ++i) {
        for (const CallsOfSize& calls : reports[i].sizes) rows.add(i, calls);
    }
    return rows.take();
}

/// Combines bytes and calls of the posts with the time of posts and waits.
std::optional<ComparedCalls> non_blocking_calls(const Comparison& comparison) {
    ComparedCalls all{"non-blocking, posts and waits", std::nullopt, CallPart::whole, {}};
    all.reports.resize(comparison.reports.size(), CallsOfSize{});
    u64 bytes = 0;
    for (const ComparedCalls& row : comparison.calls) {
        if (row.part != CallPart::posts && row.part != CallPart::waits) continue;
        for (std::size_t i = 0; i < row.reports.size(); ++i) {
            if (!row.reports[i]) continue;
            all.reports[i]->seconds += row.reports[i]->seconds;
            all.reports[i]->scale = row.reports[i]->scale;
            if (row.part == CallPart::waits) continue;
            all.reports[i]->calls += row.reports[i]->calls;
            all.reports[i]->bytes += row.reports[i]->bytes;
            bytes += row.reports[i]->bytes;
        }
    }
    return bytes == 0 ? std::nullopt : std::optional(all);
}

double seconds_of_ranks(const MachineReport& report) {
    return static_cast<double>(report.ranks) * report.times.wall.mean;
}

DifferencePart part_of_row(const ComparedCalls& row, const std::optional<CallsOfSize>& first,
                           const std::optional<CallsOfSize>& other) {
    DifferencePart part{row.function,
                        row.from_bytes.value_or(0),
                        first ? first->calls : 0,
                        first ? first->seconds : 0,
                        other ? other->seconds : 0,
                        0};
    const auto shortest = [](const std::optional<CallsOfSize>& calls) {
        return calls ? static_cast<double>(calls->calls) * calls->shortest : 0;
    };
    part.by_shortest = shortest(other) - shortest(first);
    return part;
}

/// One without repetitions, or without time, cannot be judged.
Judgement judged(const Comparison& comparison, const Explanation& explanation,
                 const JudgedQuantity& quantity) {
    const auto times = [&](std::size_t report) {
        return comparison.reports[report].values(quantity, comparison.by_launch);
    };
    const auto positive = [](const std::vector<double>& values) {
        return !values.empty() && std::ranges::all_of(values, [](double time) { return time > 0; });
    };
    const std::vector<double> first = times(0);
    const std::vector<double> other = times(explanation.report);
    if (!positive(first) || !positive(other)) return {};
    if (explanation.paired) return judge_pairs(first, other);
    Judgement judgement = judge(first, other, comparison.margin());
    judgement.different &= !comparison.disturbed();
    return judgement;
}

Explanation explain(const Comparison& comparison, std::size_t report) {
    Explanation explanation{
        report,
        seconds_of_ranks(comparison.reports.front()),
        seconds_of_ranks(comparison.reports[report]),
        comparison.by_launch && took_turns(comparison.reports.front(), comparison.reports[report]),
        {},
        {}};
    for (const JudgedQuantity& quantity : kQuantities)
        explanation.judgements.push_back(judged(comparison, explanation, quantity));
    DifferencePart rest{"", 0, 0, explanation.first, explanation.other, 0};
    for (const ComparedCalls& row : comparison.calls) {
        const DifferencePart part = part_of_row(row, row.reports.front(), row.reports[report]);
        rest.first -= part.first;
        rest.other -= part.other;
        explanation.parts.push_back(part);
    }
    rest.by_shortest = rest.difference();  // no waits outside of calls
    explanation.parts.push_back(rest);
    std::ranges::stable_sort(explanation.parts, std::greater<>(), [](const DifferencePart& part) {
        return std::abs(part.difference());
    });
    return explanation;
}

bool is_posted_file_call(const std::string& function) {
    return function.starts_with("MPI_File_i") || function.ends_with("_begin");
}

}  // namespace

CallPart part_of(const std::string& function) {
    const auto known = find_mpi_function(function);
    if (!known) return CallPart::nothing;
    switch (known->family) {
        case CallFamily::send:
        case CallFamily::receive:
        case CallFamily::send_receive:
        case CallFamily::collective:
            return CallPart::whole;
        case CallFamily::matched_receive:
            return known->function == MpiFunction::Imrecv ? CallPart::posts : CallPart::whole;
        case CallFamily::neighbour:
            return function.starts_with("MPI_I") ? CallPart::posts : CallPart::whole;
        case CallFamily::file:
            if (function.ends_with("_end")) return CallPart::waits;
            return is_posted_file_call(function) ? CallPart::posts : CallPart::whole;
        case CallFamily::post_send:
        case CallFamily::post_receive:
        case CallFamily::post_collective:
        case CallFamily::start:
            return CallPart::posts;
        case CallFamily::window:
            if (!function.starts_with("MPI_Win_")) return CallPart::posts;
            return makes_window(known->function) ? CallPart::nothing : CallPart::waits;
        case CallFamily::completion:
            return CallPart::waits;
        default:
            return CallPart::nothing;
    }
}

Comparison compare_reports(std::vector<MachineReport> reports) {
    for (const MachineReport& report : reports) check_same(reports.front(), report);
    Comparison comparison;
    comparison.reports = std::move(reports);
    name_apart(comparison.reports);
    comparison.by_launch = std::ranges::all_of(
        comparison.reports, [](const MachineReport& report) { return report.launches.size() > 1; });
    comparison.calls = compared_calls(comparison.reports);
    comparison.non_blocking = non_blocking_calls(comparison);
    for (std::size_t i = 1; i < comparison.reports.size(); ++i) {
        comparison.explanations.push_back(explain(comparison, i));
    }
    return comparison;
}

}  // namespace tracefold
