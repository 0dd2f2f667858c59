// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "forecast/guard/guarded_run.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tracefold {

/// The call paths of several runs as one tree.
struct AlignedTree {
    struct Node {
        u32 parent = kNone;  ///< lower index
        u32 run = 0;         ///< the first run with the path, and its index there
        u32 path = 0;
    };

    std::vector<Node> nodes;
    /// By run and node: index of the run's path; kNone: it has none.
    std::vector<std::vector<u32>> paths;
    /// Names of one call path, in the first run and in another one.
    std::vector<std::pair<std::string, std::string>> renamed;
};

/// Aligns runs with the first one: from the roots down, children of aligned paths by name; of those
/// left over, but for functions of MPI, two that are at least 80 % alike, and more than either is
/// to any other. Likeness is that of their visits, and of the numbers of calls of each MPI function
/// below them (weighted Jaccard index). Roots are aligned if each run has one. Cost: the square of
/// the pairs that are left over, of which more than 10,000 are not compared.
AlignedTree align_runs(const std::vector<const GuardedRun*>& runs);

}  // namespace tracefold
