// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/compare/comparison.hpp"

#include "core/error.hpp"
#include "model/mpi_function.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/core.h>

namespace tracefold {

namespace {

/// Refuses what was not asked for the same.
void check_same(const MachineReport& first, const MachineReport& other) {
    std::string differences;
    for (std::size_t i = 0; i < std::min(first.choices.size(), other.choices.size()); ++i) {
        if (first.choices[i] == other.choices[i]) continue;
        differences +=
            fmt::format("{}{} is {} instead of {}", differences.empty() ? "" : ", ",
                        other.choices[i].name, other.choices[i].value, first.choices[i].value);
        if (first.choices[i].name == "trace") break;  // then the rest says little
    }
    if (differences.empty()) return;
    throw Error(ErrorKind::unsupported, "{} cannot be compared with {}: {}", other.path, first.path,
                differences);
}

/// Files of one name get the whole path.
void name_apart(std::vector<MachineReport>& reports) {
    std::map<std::string, int> times;
    for (const MachineReport& report : reports) ++times[report.name];
    for (MachineReport& report : reports) {
        if (times[report.name] > 1) report.name = report.path;
    }
}

using CallKey = std::pair<std::string, u64>;

/// Rows by function and size, in the order in which reports name them.
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

/// Bytes and calls are those of the posts, time is that of posts and waits.
std::optional<ComparedCalls> non_blocking_calls(const Comparison& comparison) {
    ComparedCalls all{"non-blocking, posts and waits", std::nullopt, CallPart::whole, {}};
    all.reports.resize(comparison.reports.size(), CallsOfSize{});
    u64 bytes = 0;
    for (const ComparedCalls& row : comparison.calls) {
        if (row.part != CallPart::posts && row.part != CallPart::waits) continue;
        for (std::size_t i = 0; i < row.reports.size(); ++i) {
            if (!row.reports[i]) continue;
            all.reports[i]->seconds += row.reports[i]->seconds;
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

Explanation explain(const Comparison& comparison, std::size_t report) {
    Explanation explanation{report,
                            seconds_of_ranks(comparison.reports.front()),
                            seconds_of_ranks(comparison.reports[report]),
                            {}};
    DifferencePart rest{"", 0, 0, explanation.first, explanation.other, 0};
    for (const ComparedCalls& row : comparison.calls) {
        const DifferencePart part = part_of_row(row, row.reports.front(), row.reports[report]);
        rest.first -= part.first;
        rest.other -= part.other;
        explanation.parts.push_back(part);
    }
    rest.by_shortest = rest.difference();  // nobody waits there
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
    comparison.calls = compared_calls(comparison.reports);
    comparison.non_blocking = non_blocking_calls(comparison);
    for (std::size_t i = 1; i < comparison.reports.size(); ++i) {
        comparison.explanations.push_back(explain(comparison, i));
    }
    return comparison;
}

}  // namespace tracefold
