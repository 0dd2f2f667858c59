// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "questions/graph/detail/flow_graph.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tracefold {

struct ComparedGraph {
    const FlowGraph& graph;
    std::function<std::string(FlowVertex)> name;  ///< equal for the same event in both graphs
    u64 locations = 1;                            ///< that take part in the graph
    double tick = 1;                              ///< seconds
};

/// Figures of a node or an edge in one of the graphs.
struct DiffFigures {
    bool exists = false;
    double count = 0;  ///< per location
    double mean = 0;   ///< seconds
    bool timed = false;
};

/// A node, or (with `to`) an edge, that differs.
struct FlowDifference {
    std::string from;
    std::string to;
    DiffFigures a;
    DiffFigures b;
    bool order = false;  ///< equal counts, but at other visits of the source node
};

struct FlowDiff {
    std::vector<FlowDifference> nodes;  ///< by name
    std::vector<FlowDifference> edges;
    [[nodiscard]] bool empty() const { return nodes.empty() && edges.empty(); }
};

/// Compares nodes by name and edges by their ends: existence, count per location, and mean times if
/// both graphs have them. `tolerance`: share of the larger time up to which times are equal.
FlowDiff diff_graphs(const ComparedGraph& a, const ComparedGraph& b, double tolerance);

}  // namespace tracefold
