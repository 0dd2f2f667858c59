// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/compare/judgement.hpp"
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

/// One repetition: its longest wall time, means over the ranks, and the figure of merit, in
/// seconds.
struct ReportedRun {
    double wall = 0;
    double communication = 0;
    double merit = 0;
    double delayed = 0;  ///< waiting for a processor, mean over the ranks
};

/// What a judgement is about.
struct JudgedQuantity {
    const char* name;
    double ReportedRun::*value;
};
inline constexpr JudgedQuantity kQuantities[] = {{"wall time", &ReportedRun::wall},
                                                 {"communication", &ReportedRun::communication},
                                                 {"figure of merit", &ReportedRun::merit}};
inline constexpr const char* kMeritFormula =
    "sum over MPI calls that move data between ranks, by function and size, of calls x median "
    "duration, divided by the ranks";

/// The parts of JSON reports of `trace_replay --report` that a comparison needs: of one launch, or
/// of several of one machine.
struct MachineReport {
    std::string path;
    std::string name;  ///< in tables: file name without .json
    std::string mpi;
    std::vector<std::string> dates;  ///< of the launches, in rising order
    std::string tracefold;
    u64 nodes = 0;
    u64 processors = 0;                              ///< of these nodes
    std::vector<std::vector<ReportedRun>> launches;  ///< by date: the repetitions of each
    std::string input;
    std::vector<ReplayChoice> choices;
    u64 ranks = 0;
    u64 calls = 0;                ///< over all ranks, per repetition
    bool met = true;              ///< the replay met its request
    bool oversubscribed = false;  ///< ranks shared processors
    TimeSpreads times;            ///< over the ranks
    std::vector<CallsOfSize> sizes;
    std::vector<ReportedRank> ranks_in_detail;  ///< of the first launch

    [[nodiscard]] u64 repetitions() const;
    /// Part of the time of all repetitions in which ranks waited for processors.
    [[nodiscard]] double delayed() const;
    /// Wall times of all repetitions.
    [[nodiscard]] std::vector<double> times_of_runs() const {
        return values(kQuantities[0], false);
    }
    /// The unit of a comparison: every repetition, or of several launches the median of each.
    [[nodiscard]] std::vector<double> values(const JudgedQuantity& quantity, bool by_launch) const;
};

/// True if the machines had the same number of launches, at least kLeastPairs, and in each pair of
/// consecutive launches one was of each machine.
bool took_turns(const MachineReport& first, const MachineReport& other);

/// Reads the report at `path`, or all .json files of a folder as launches of one machine. Throws
/// Error: io if it cannot be read, corrupt for invalid JSON or values, unsupported if it is no
/// report of trace_replay or of an older release. Cost: linear in the file, which is held in
/// memory.
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
    bool paired = false;  ///< the judgements are by pairs of launches that took turns
    std::vector<DifferencePart> parts;
    std::vector<Judgement> judgements;  ///< of kQuantities
};

/// Reports of the same replay on several machines. The first one is the reference.
struct Comparison {
    std::vector<MachineReport> reports;
    bool by_launch = false;  ///< every machine has several launches: each counts once
    /// A report of one launch whose ranks waited for processors: its repetitions prove nothing.
    [[nodiscard]] bool disturbed() const;
    /// By which the whole interval of a difference must exceed 1.
    [[nodiscard]] double margin() const { return by_launch ? 0 : kLaunchMargin; }
    std::vector<ComparedCalls> calls;           ///< in order of the first report
    std::optional<ComparedCalls> non_blocking;  ///< posts and waits of all sizes, if any
    std::vector<Explanation> explanations;      ///< of every report except the first
};

/// Compares reports. Throws Error(unsupported), naming the difference, for reports of different
/// traces or replay requests. Precondition: at least one report. Cost: linear in their calls by
/// size.
Comparison compare_reports(std::vector<MachineReport> reports);

}  // namespace tracefold
