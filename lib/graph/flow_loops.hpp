// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "graph/flow_graph.hpp"

#include <vector>

namespace tracefold {

/// A loop: nodes that all lead to each other.
struct FlowLoop {
    u32 parent = kNone;             ///< the loop around it
    u32 depth = 0;                  ///< loops around it
    FlowVertex header = 0;          ///< where it is entered most often
    std::vector<FlowVertex> nodes;  ///< rising; those of inner loops too
    u64 entries = 0;                ///< by all participants together
    u64 iterations = 0;             ///< passages of the header
    double ticks = 0;               ///< in its calls and between them

    [[nodiscard]] double mean_iterations() const {
        return entries == 0 ? 0 : static_cast<double>(iterations) / static_cast<double>(entries);
    }
};

/// The nest of loops, every loop after the one around it: strongly connected components, and those
/// that are left inside of one when no edge leads back to its header. At most 16 levels. Cost:
/// nodes and edges times the number of levels.
std::vector<FlowLoop> find_loops(const FlowGraph& graph);

/// By vertex: the innermost of the loops that it is in; kNone: none.
std::vector<u32> innermost_loops(const std::vector<FlowLoop>& loops, std::size_t vertices);

}  // namespace tracefold
