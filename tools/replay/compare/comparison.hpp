// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/rank_detail.hpp"
#include "replay/statistics.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tracefold {

/// What one rank did in a report, in seconds.
struct ReportedRank {
    u64 rank = 0;
    std::string host;  ///< empty unless the report names it
    double wall = 0;
    double communication = 0;
    double computation = 0;
};

/// Something that decides on what a replay issues and when, and its value in a report.
struct ReplayChoice {
    std::string name;  ///< "trace", "ranks", or the option: "--deltas"
    std::string value;

    bool operator==(const ReplayChoice&) const = default;
};

/// What a comparison needs of a report that `trace_replay --report` wrote as JSON.
struct MachineReport {
    std::string path;
    std::string name;  ///< in tables: the name of the file without .json
    std::string input;
    std::vector<ReplayChoice> choices;
    u64 ranks = 0;
    u64 calls = 0;  ///< of all ranks in one repetition
    u64 repetitions = 0;
    bool met = true;              ///< it did what was asked for
    bool oversubscribed = false;  ///< ranks had to share processors
    TimeSpreads times;            ///< over the ranks
    std::vector<CallsOfSize> sizes;
    std::vector<ReportedRank> ranks_in_detail;
};

/// Reads the report at `path`. Throws Error: io if that cannot be read, corrupt if it is no JSON or
/// says what cannot be, unsupported if it is no report of trace_replay or one of an older release.
/// Cost: linear in the file, which is held in memory.
MachineReport read_machine_report(const std::string& path);

/// Whether the bytes of a call and its time belong together. Bytes of a message count with the call
/// that posts it, the time that it takes with the one that waits for it.
enum class CallPart : u8 {
    whole,   ///< blocking calls and collectives: bandwidth means something
    posts,   ///< non-blocking ones, persistent requests and one-sided transfers
    waits,   ///< what completes them
    nothing  ///< moves no data
};
CallPart part_of(const std::string& function);

/// Calls of one function and size, in all reports.
struct ComparedCalls {
    std::string function;
    std::optional<u64> from_bytes;  ///< none: of all sizes together
    CallPart part = CallPart::nothing;
    std::vector<std::optional<CallsOfSize>> reports;  ///< none: no such call there
};

/// Why a report takes longer or shorter than the first one: seconds of all ranks together.
struct DifferencePart {
    std::string function;  ///< empty: time outside of MPI calls
    u64 from_bytes = 0;
    u64 calls = 0;
    double first = 0;
    double other = 0;
    /// What the difference would be if every call had taken as long as the shortest one of its
    /// report: the network and the library. The rest is waiting for partners, and for the
    /// processor.
    double by_shortest = 0;

    [[nodiscard]] double difference() const { return other - first; }
    [[nodiscard]] double by_waiting() const { return difference() - by_shortest; }
};

/// Parts of the difference between the first report and another one, the largest first; they add up
/// to it.
struct Explanation {
    std::size_t report = 0;  ///< in Comparison::reports
    double first = 0;        ///< wall times of all ranks together
    double other = 0;
    std::vector<DifferencePart> parts;
};

/// Reports of the same replay on several machines. The first one is what others are compared with.
struct Comparison {
    std::vector<MachineReport> reports;
    std::vector<ComparedCalls> calls;  ///< in the order of the first report
    std::optional<ComparedCalls>
        non_blocking;  ///< posts and waits of all sizes together, if there are any
    std::vector<Explanation> explanations;  ///< of every report but the first
};

/// Throws Error(unsupported), naming what differs, if reports are of different traces or of replays
/// that were asked for something else. Precondition: at least one report. Cost: linear in their
/// calls by size.
Comparison compare_reports(std::vector<MachineReport> reports);

}  // namespace tracefold
