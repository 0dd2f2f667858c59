// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/rank_detail.hpp"
#include "replay/statistics.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tracefold {

/// Times of one rank in a report, in seconds.
struct ReportedRank {
    u64 rank = 0;
    std::string host;  ///< empty if the report lacks it
    double wall = 0;
    double communication = 0;
    double computation = 0;
};

/// An input or option of a replay, with its value in a report.
struct ReplayChoice {
    std::string name;  ///< "trace", "ranks", or the option: "--deltas"
    std::string value;

    bool operator==(const ReplayChoice&) const = default;
};

/// The parts of a JSON report of `trace_replay --report` that a comparison needs.
struct MachineReport {
    std::string path;
    std::string name;  ///< in tables: file name without .json
    std::string input;
    std::vector<ReplayChoice> choices;
    u64 ranks = 0;
    u64 calls = 0;  ///< over all ranks, per repetition
    u64 repetitions = 0;
    bool met = true;              ///< the replay met its request
    bool oversubscribed = false;  ///< ranks shared processors
    TimeSpreads times;            ///< over the ranks
    std::vector<CallsOfSize> sizes;
    std::vector<ReportedRank> ranks_in_detail;
};

/// Reads the report at `path`. Throws Error: io if it cannot be read, corrupt for invalid JSON or
/// values, unsupported if it is no report of trace_replay or of an older release. Cost: linear in
/// the file, which is held in memory.
MachineReport read_machine_report(const std::string& path);

/// Whether the bytes of a call and its time belong together: bytes of a message count for the
/// posting call, the transfer time for the waiting call.
enum class CallPart : u8 {
    whole,   ///< blocking calls and collectives: bandwidth is meaningful
    posts,   ///< nonblocking calls, persistent requests, one-sided transfers
    waits,   ///< completing calls
    nothing  ///< no data
};
CallPart part_of(const std::string& function);

/// Calls of one function and size, in all reports.
struct ComparedCalls {
    std::string function;
    std::optional<u64> from_bytes;  ///< none: all sizes
    CallPart part = CallPart::nothing;
    std::vector<std::optional<CallsOfSize>> reports;  ///< none: no such calls
};

/// One cause of the difference to the first report: seconds over all ranks.
struct DifferencePart {
    std::string function;  ///< empty: time outside of MPI calls
    u64 from_bytes = 0;
    u64 calls = 0;
    double first = 0;
    double other = 0;
    /// The difference if every call took as long as the shortest of its report: the network and the
    /// library. The rest is waiting for partners and for the processor.
    double by_shortest = 0;

    [[nodiscard]] double difference() const { return other - first; }
    [[nodiscard]] double by_waiting() const { return difference() - by_shortest; }
};

/// The parts of the difference between the first report and another one, largest first; they sum up
/// to the difference.
struct Explanation {
    std::size_t report = 0;  ///< index into Comparison::reports
    double first = 0;        ///< wall time over all ranks
    double other = 0;
    std::vector<DifferencePart> parts;
};

/// Reports of the same replay on several machines. The first one is the reference.
struct Comparison {
    std::vector<MachineReport> reports;
    std::vector<ComparedCalls> calls;           ///< in order of the first report
    std::optional<ComparedCalls> non_blocking;  ///< posts and waits of all sizes, if any
    std::vector<Explanation> explanations;      ///< of every report except the first
};

/// Compares reports. Throws Error(unsupported), naming the difference, for reports of different
/// traces or replay requests. Precondition: at least one report. Cost: linear in their calls by
/// size.
Comparison compare_reports(std::vector<MachineReport> reports);

}  // namespace tracefold
