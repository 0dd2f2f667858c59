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
    u32 rank_class = 0;           ///< of the ranks that it is about, if classes are told apart
    std::vector<double> seconds;  ///< by run
    double change = 0;            ///< from the first run to the last one
};

/// Where the time of runs went. The changes of all paths add up to that of the whole.
struct RunComparison {
    std::vector<ComparedPath> paths;  ///< by falling amount of the change
    std::vector<double> seconds;      ///< of all paths, by run
    double change = 0;
    std::vector<std::vector<u64>> class_ranks;  ///< by class and run; empty if all are together
};

/// `by_class`: tells apart the ranks that take another part: those that call each path least often
/// of all ranks of their run, second least often, and so on, are alike, whatever the size of the
/// run. Times are still means over all ranks, so that those of all classes add up. Profiles must
/// have been made by rank for it. Throws Error(usage) if a run has no times.
RunComparison compare_runs(const std::vector<RunProfile>& runs, bool by_class = false);

}  // namespace tracefold
