// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "questions/graph/detail/flow_graph.hpp"

#include <vector>

namespace tracefold {

/// A loop: nodes that all lead to each other.
struct FlowLoop {
    u32 parent = kNone;             ///< the loop around it
    u32 depth = 0;                  ///< loops around it
    std::vector<FlowVertex> nodes;  ///< rising; those of inner loops too
    u64 participants = 0;           ///< of any of its nodes
    u64 entries = 0;                ///< by all participants together
    double iterations = 0;          ///< per entry: visits of the nodes that are visited least
    double ticks = 0;               ///< in its calls and between them
};

/// Calls that are made before and after a phase of the program tie it up to a loop that is none: it
/// goes round twice.
inline constexpr double kLeastIterations = 2.5;

/// The nest of loops, every loop after the one around it. Loops may be
/// irreducible, as in Havlak's nesting (TOPLAS 1997). As in Steensgaard's (Sequentializing program
/// dependence graphs for irreducible programs, 1993) they are strongly connected components, and
/// those that are left inside of one without the nodes that each participant visits about as seldom
/// as any (less than kLeastIterations times as often). Components that go round less often than
/// that are no loops. At most 16 levels. Cost: nodes and edges times the number of levels.
std::vector<FlowLoop> find_loops(const FlowGraph& graph);

}  // namespace tracefold
