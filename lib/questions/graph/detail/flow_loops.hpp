// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "questions/graph/detail/flow_graph.hpp"

#include <vector>

namespace tracefold {

/// A loop: a strongly connected set of nodes.
struct FlowLoop {
    u32 parent = kNone;             ///< enclosing loop
    u32 depth = 0;                  ///< number of enclosing loops
    std::vector<FlowVertex> nodes;  ///< ascending, including inner loops
    u64 participants = 0;           ///< that execute any of its nodes
    u64 entries = 0;                ///< over all participants
    double iterations = 0;          ///< per entry, by the least visited nodes
    double ticks = 0;               ///< in and between its calls
};

/// Calls made before and after a program phase connect it to a spurious loop of two iterations.
inline constexpr double kLeastIterations = 2.5;

/// Returns the loop nesting forest, outer loops first. Loops may be irreducible, as in Havlak's
/// nesting (TOPLAS 1997). As in Steensgaard (Sequentializing program dependence graphs for
/// irreducible programs, 1993), loops are strongly connected components; inner loops are the
/// components that remain without the nodes that each participant visits about as rarely as any
/// (less than kLeastIterations times as often). Components with fewer iterations than that are not
/// loops. At most 16 levels. Cost: (nodes + edges) x levels.
std::vector<FlowLoop> find_loops(const FlowGraph& graph);

}  // namespace tracefold
