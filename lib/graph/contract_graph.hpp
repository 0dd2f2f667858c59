// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "graph/flow_graph.hpp"

#include <functional>
#include <vector>

namespace tracefold::inline graph {

/// The graph with every group of nodes as one node. `group_of` has a number per vertex, from 0 on
/// without gaps; the first two are the start and the end. A node of several loses its arguments; if
/// they are not all the same call, it is a record named after how many it stands for. Edges within
/// a group that are `inner` go into its time; parallel edges become one; sequences are lost. Cost:
/// linear.
FlowGraph contract(const FlowGraph& graph, const std::vector<u32>& group_of,
                   const std::function<bool(FlowEdgeId)>& inner);

}  // namespace tracefold::inline graph
