// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "profile/profile_metric.hpp"
#include "trace/trace_file.hpp"

#include <array>
#include <string>
#include <vector>

namespace tracefold {

/// What the calls of one function send or receive in one run: sums over all ranks. A member's part
/// in a collective operation counts as sent.
struct CallTraffic {
    std::string call;  ///< "MPI_Isend"
    bool sends = false;
    u64 transfers = 0;
    u64 bytes = 0;
    u64 partners = 0;  ///< different peers of each rank; 0: none, as of collectives, or not known
};

/// What one call path has in one run, in itself and not in what it calls: sums over all ranks,
/// times in seconds.
using PathTotals = std::array<double, kProfileMetrics>;

/// The call paths of one run.
struct RunProfile {
    struct Path {
        std::string name;  ///< "program/main/MPI_Send"
        PathTotals totals{};
        /// By rank, if asked for; empty: none.
        std::vector<u64> visits = {};
        std::vector<double> seconds = {};
    };

    std::string name;  ///< of the file
    u32 ranks = 0;     ///< or locations, if there are no ranks
    double size = 0;   ///< what numbers are functions of: the ranks, or another parameter
    bool has_times = false;
    std::vector<Path> paths;           ///< in the order of their first calls
    std::vector<CallTraffic> traffic;  ///< if asked for

    /// Of one metric over all paths.
    [[nodiscard]] double total(ProfileMetric metric) const;
};

struct RunProfileRequest {
    bool by_rank = false;  ///< also visits and times of each rank
    bool traffic = false;
    std::string cubex;   ///< file to write in the format of Cube; empty: none
    bool force = false;  ///< overwrite it
};

/// Throws Error: corrupt; io of the file to write. Cost: as trace_profile(); of traffic also as
/// visit_transfers(), and memory grows with the pairs of ranks that exchange something.
RunProfile profile_run(TraceFile& file, const std::string& name,
                       const RunProfileRequest& request = {});

/// The call paths of several runs side by side.
struct AlignedPaths {
    std::vector<std::string> names;  ///< as they come in the first run that has them
    /// By run and path; null where a run lacks one. They refer to the profiles.
    std::vector<std::vector<const PathTotals*>> totals;
};

AlignedPaths align_paths(const std::vector<RunProfile>& runs);

}  // namespace tracefold
