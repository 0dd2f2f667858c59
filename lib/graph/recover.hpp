// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "graph/flow_graph.hpp"

#include <functional>

namespace tracefold {

/// Walks through the graph as one of its participants did, from the start to the end, by the
/// sequences on its edges alone, and passes every event on. Cost: O(log(edges out of the node)) per
/// event; memory: the edges. Throws Error(internal) if the graph does not lead to the end.
void recover(const FlowGraph& graph, u32 location, const std::function<void(FlowVertex)>& sink);

}  // namespace tracefold
