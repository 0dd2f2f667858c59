// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "graph/flow_graph.hpp"
#include "graph/flow_loops.hpp"

#include <vector>

namespace tracefold {

/// The graph with every group of nodes as one node. `group_of` has a number per vertex, from 0 on
/// without gaps; the first two are the start and the end. A node of several is a record named after
/// how many it stands for. Edges within a group go into its time; parallel edges become one;
/// sequences are lost. Cost: linear.
FlowGraph contract(const FlowGraph& graph, const std::vector<u32>& group_of);

/// Groups for contract(): loops that `depth` loops or more are around become one node each.
std::vector<u32> collapse_loops(const FlowGraph& graph, const std::vector<FlowLoop>& loops,
                                u32 depth);

/// Groups for contract(): all but `most` nodes, those with most time, or without times most visits,
/// are joined with their neighbours among the others.
std::vector<u32> keep_top(const FlowGraph& graph, std::size_t most);

}  // namespace tracefold
