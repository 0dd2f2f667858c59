// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/calls_of_size.hpp"
#include "replay_mpi/measure/time_spreads.hpp"

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

}  // namespace tracefold
