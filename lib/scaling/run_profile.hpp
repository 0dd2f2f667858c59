// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "profile/profile_metric.hpp"
#include "trace/trace_file.hpp"

#include <array>
#include <string>
#include <vector>

namespace tracefold {

/// What one call path has in one run, in itself and not in what it calls: sums over all ranks,
/// times in seconds.
using PathTotals = std::array<double, kProfileMetrics>;

/// The call paths of one run.
struct RunProfile {
    struct Path {
        std::string name;  ///< "program/main/MPI_Send"
        PathTotals totals{};
    };

    std::string name;  ///< of the file
    u32 ranks = 0;     ///< or locations, if there are no ranks
    bool has_times = false;
    std::vector<Path> paths;  ///< in the order of their first calls

    /// Of one metric over all paths.
    [[nodiscard]] double total(ProfileMetric metric) const;
};

/// Throws Error(corrupt). Cost: as trace_profile().
RunProfile profile_run(TraceFile& file, const std::string& name);

/// The call paths of several runs side by side.
struct AlignedPaths {
    std::vector<std::string> names;  ///< as they come in the first run that has them
    /// By run and path; null where a run lacks one. They refer to the profiles.
    std::vector<std::vector<const PathTotals*>> totals;
};

AlignedPaths align_paths(const std::vector<RunProfile>& runs);

}  // namespace tracefold
