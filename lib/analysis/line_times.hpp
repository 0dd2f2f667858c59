// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/call_times.hpp"
#include "analysis/structure_listing.hpp"
#include "fold/execution_counts.hpp"

#include <vector>

namespace tracefold::inline analysis {

/// Where the time of a script goes, in ticks of all its participants. What a symbol takes is shared
/// out by how often it is executed: a call that stands in several places takes as long in each.
struct LineTimes {
    /// By node, each time it is come by: of a leaf the call alone, of a loop all iterations and the
    /// computation within.
    std::vector<double> per_visit;
    /// By node: how often a body is run through each time the loop is come by.
    std::vector<double> iterations;
    double total = 0;  ///< of everything that is listed, computation included
};

/// Cost: linear in the script's nodes.
LineTimes line_times(const ListedScript& script, const CallTimes& times,
                     const ExecutionCounts& counts);

}  // namespace tracefold::inline analysis
