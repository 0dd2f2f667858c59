// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "questions/graph/detail/flow_graph.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tracefold {

/// One of two graphs that are compared.
struct ComparedGraph {
    const FlowGraph& graph;
    std::function<std::string(FlowVertex)> name;  ///< equal for the same event in both
    u64 locations = 1;                            ///< that take part in the graph
    double tick = 1;                              ///< seconds
};

/// What a node or an edge is in one of the graphs.
struct DiffFigures {
    bool exists = false;
    double count = 0;  ///< per location
    double mean = 0;   ///< seconds
    bool timed = false;
};

/// A node, or (with `to`) an edge that is not the same in both.
struct FlowDifference {
    std::string from;
    std::string to;
    DiffFigures a;
    DiffFigures b;
    bool order = false;  ///< as often in both, but at other visits of the node that it leaves
};

struct FlowDiff {
    std::vector<FlowDifference> nodes;  ///< by name
    std::vector<FlowDifference> edges;
    [[nodiscard]] bool empty() const { return nodes.empty() && edges.empty(); }
};

/// Compares nodes by name and edges by their ends: which exist, how often per location, and the
/// mean times where both graphs have them, which count as equal up to a share of the larger one.
FlowDiff diff_graphs(const ComparedGraph& a, const ComparedGraph& b, double tolerance);

}  // namespace tracefold
