// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scaling/run_profile.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// The time of one call path in several runs, in itself and not in what it calls: means over the
/// ranks, in seconds.
struct ComparedPath {
    std::string path;
    std::vector<double> seconds;  ///< by run
    double change = 0;            ///< from the first run to the last one
};

/// Where the time of runs went. The changes of all paths add up to that of the whole.
struct RunComparison {
    std::vector<ComparedPath> paths;  ///< by falling amount of the change
    std::vector<double> seconds;      ///< of all paths, by run
    double change = 0;
};

/// Throws Error(usage) if a run has no times.
RunComparison compare_runs(const std::vector<RunProfile>& runs);

}  // namespace tracefold
