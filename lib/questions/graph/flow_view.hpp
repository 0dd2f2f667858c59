// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/time_use.hpp"
#include "questions/graph/detail/flow_graph.hpp"
#include "questions/graph/detail/flow_loops.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tracefold {

/// Nodes of a graph that the picture shows as one line.
struct ViewPart {
    enum class Kind : u8 {
        calls,   ///< one call, or calls of one function with different arguments
        loop,    ///< a whole loop
        others,  ///< omitted nodes
    };

    Kind kind = Kind::calls;
    std::vector<FlowVertex> nodes;  ///< of the whole graph, in program order
};

/// A simplified graph: each node represents one or several nodes of the original graph.
struct FlowView {
    const FlowGraph* whole = nullptr;  ///< the original graph; must outlive this view
    FlowGraph graph;
    std::vector<std::vector<ViewPart>> parts;  ///< by vertex, in program order
    std::vector<FlowLoop>
        loops;  ///< of the whole graph, with the view nodes that lie completely inside

    /// Number of original nodes that a node represents.
    [[nodiscard]] std::size_t size_of(FlowVertex v) const;
    /// Whether the loop is more than one repeated call.
    [[nodiscard]] bool is_box(const FlowLoop& loop) const;
    /// By vertex: the innermost enclosing box; kNone: none.
    [[nodiscard]] std::vector<u32> loop_of() const;
};

/// A view without simplification. Cost: that of find_loops().
FlowView whole_view(const FlowGraph& graph);

/// Contracts each loop with at least `depth` enclosing loops to one node.
FlowView collapse_loops(const FlowView& view, u32 depth);

/// Joins calls of one function with the same regions in the same loop if one follows the other, or
/// if they differ only in peers and slightly in size: neighbours of a stencil, calls that boundary
/// ranks make instead of others. Edges between joined calls and self edges disappear.
FlowView join_calls(const FlowView& view);

/// Contracts chains: nodes with a single successor whose only predecessor they are.
FlowView join_chains(const FlowView& view);

/// Keeps the `most` nodes with most time, else most visits; joins the others with such neighbours.
FlowView keep_top(const FlowView& view, std::size_t most);

/// Texts for the parts of a graph; the caller knows names and units. Lines end with \n.
struct GraphTexts {
    std::string title;
    std::function<std::string(FlowVertex)> node;
    std::function<std::string(FlowEdgeId)> edge;
    std::function<std::string(const FlowLoop&)> loop;
    /// Activity of a node, for its colour; empty function: computation.
    std::function<TimeUse(FlowVertex)> use = {};
};

}  // namespace tracefold
