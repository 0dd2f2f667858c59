// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/region_role.hpp"
#include "questions/graph/detail/flow_graph.hpp"
#include "questions/graph/detail/flow_loops.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tracefold {

/// Nodes of a graph that a picture tells of in one line.
struct ViewPart {
    enum class Kind : u8 {
        calls,   ///< one, or calls of one function that differ in their arguments
        loop,    ///< a whole loop
        others,  ///< what was left out
    };

    Kind kind = Kind::calls;
    std::vector<FlowVertex> nodes;  ///< of the whole graph, in the order of the program
};

/// A graph to look at: its nodes stand for one or several of the graph that it was made from.
struct FlowView {
    const FlowGraph* whole = nullptr;  ///< what it was made from; must outlive this
    FlowGraph graph;
    std::vector<std::vector<ViewPart>> parts;  ///< by vertex, in the order of the program
    std::vector<FlowLoop> loops;  ///< of the whole graph, with those nodes of this one that are
                                  ///< inside with all they stand for

    /// Nodes of the whole graph that one of this stands for.
    [[nodiscard]] std::size_t size_of(FlowVertex v) const;
    /// Whether it is more than one call again and again.
    [[nodiscard]] bool is_box(const FlowLoop& loop) const;
    /// By vertex: the innermost such loop around it; kNone: none.
    [[nodiscard]] std::vector<u32> loop_of() const;
};

/// Everything as it is. Cost: that of find_loops().
FlowView whole_view(const FlowGraph& graph);

/// Loops that `depth` loops or more are around become one node each.
FlowView collapse_loops(const FlowView& view, u32 depth);

/// Calls of one function with the same regions around them in the same loop become one node, if one
/// follows the other, or if they differ in their peers and little in their sizes: the neighbours of
/// a stencil, what ranks at a border do in place of the others. That they follow each other is no
/// edge any more, nor that one follows itself.
FlowView join_calls(const FlowView& view);

/// Nodes that only ever follow each other become one node.
FlowView join_chains(const FlowView& view);

/// All but `most` nodes, those with most time, or without times most visits, are joined with their
/// neighbours among the others.
FlowView keep_top(const FlowView& view, std::size_t most);

/// How a graph's parts are told to people; the caller knows names and units. Lines end with \n.
struct GraphTexts {
    std::string title;
    std::function<std::string(FlowVertex)> node;
    std::function<std::string(FlowEdgeId)> edge;
    std::function<std::string(const FlowLoop&)> loop;
    /// What a node has to do with an accelerator; no function: nothing.
    std::function<AcceleratorUse(FlowVertex)> use = {};
};

}  // namespace tracefold
