// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "graph/flow_graph.hpp"
#include "graph/flow_loops.hpp"
#include "model/accelerator.hpp"

#include <functional>
#include <string>

namespace tracefold::inline graph {

/// How a graph's parts are told to people; the caller knows names and units. Lines end with \n.
struct GraphTexts {
    std::string title;
    std::function<std::string(FlowVertex)> node;
    std::function<std::string(FlowEdgeId)> edge;
    std::function<std::string(const FlowLoop&)> loop;
    /// What a node has to do with an accelerator; no function: nothing.
    std::function<AcceleratorUse(FlowVertex)> use = {};
};

}  // namespace tracefold::inline graph
