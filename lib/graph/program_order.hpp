// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "graph/flow_graph.hpp"

#include <vector>

namespace tracefold::inline graph {

/// All vertices that the start leads to in the direction of the program: reverse postorder from the
/// start, along the most frequent edges first. Cost: linear, and sorting the edges of each node.
std::vector<FlowVertex> program_order(const FlowGraph& graph);

}  // namespace tracefold::inline graph
