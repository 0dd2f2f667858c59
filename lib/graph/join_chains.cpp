// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/view_groups.hpp"

namespace tracefold {

namespace {

bool is_inner(FlowVertex v) { return v > kEndVertex; }

/// The only node that another one leads to or comes from, itself left out; kNone: none or several.
template <typename Edges, typename End>
FlowVertex only_end(FlowVertex v, const Edges& edges, const End& end) {
    FlowVertex only = v;
    for (const FlowEdgeId id : boost::make_iterator_range(edges)) {
        if (end(id) == v) continue;
        if (only != v) return kNone;
        only = end(id);
    }
    return only == v ? kNone : only;
}

/// By vertex: the one that always follows and that follows nothing else, in the same loop and
/// regions; kNone: none.
std::vector<FlowVertex> links_of(const FlowView& view) {
    const FlowGraph& graph = view.graph;
    const std::vector<u32> loop_of = view.loop_of();
    std::vector<FlowVertex> links(num_vertices(graph), kNone);
    for (FlowVertex v = 0; v < links.size(); ++v) {
        const FlowVertex next =
            only_end(v, out_edges(v, graph), [&graph](FlowEdgeId id) { return target(id, graph); });
        if (next == kNone || !is_inner(v) || !is_inner(next)) continue;
        const FlowVertex back = only_end(next, in_edges(next, graph),
                                         [&graph](FlowEdgeId id) { return source(id, graph); });
        const bool together =
            loop_of[v] == loop_of[next] && graph[v].signature.path == graph[next].signature.path;
        if (back == v && together) links[v] = next;
    }
    return links;
}

}  // namespace

FlowView join_chains(const FlowView& view) {
    const std::vector<FlowVertex> links = links_of(view);
    ViewGroups groups(links.size());
    for (FlowVertex v = 0; v < links.size(); ++v) {
        const bool closes = links[v] != kNone && groups.find_set(v) == groups.find_set(links[v]);
        if (links[v] != kNone && !closes) groups.union_set(v, links[v]);
    }
    return grouped(view, groups, PartRule::chain, [&](FlowEdgeId id) {
        return links[source(id, view.graph)] == target(id, view.graph);
    });
}

}  // namespace tracefold
