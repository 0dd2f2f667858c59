// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/flow_view.hpp"

#include "graph/view_groups.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tracefold {

namespace {

/// Whether the time or, without times, the number of visits is larger.
bool is_heavier(const FlowNode& a, const FlowNode& b) {
    return std::pair(a.time.total, a.visits) > std::pair(b.time.total, b.visits);
}

}  // namespace

std::size_t FlowView::size_of(FlowVertex v) const {
    std::size_t size = 0;
    for (const ViewPart& part : parts[v]) size += part.nodes.size();
    return size;
}

bool FlowView::is_box(const FlowLoop& loop) const {
    std::size_t size = 0;
    for (const FlowVertex v : loop.nodes) size += size_of(v);
    return size > 1;
}

std::vector<u32> FlowView::loop_of() const {
    std::vector<u32> innermost(num_vertices(graph), kNone);
    for (u32 loop = 0; loop < loops.size(); ++loop) {
        if (!is_box(loops[loop])) continue;
        for (const FlowVertex v : loops[loop].nodes) innermost[v] = loop;
    }
    return innermost;
}

FlowView whole_view(const FlowGraph& graph) {
    FlowView view{&graph, graph, {}, find_loops(graph)};
    for (FlowVertex v = 0; v < num_vertices(graph); ++v) {
        view.parts.push_back({{ViewPart::Kind::calls, {v}}});
    }
    return view;
}

FlowView collapse_loops(const FlowView& view, u32 depth) {
    ViewGroups groups(num_vertices(view.graph));
    std::vector<bool> joined(num_vertices(view.graph), false);
    for (const FlowLoop& loop : view.loops) {
        if (loop.depth != depth || loop.nodes.size() < 2) continue;
        for (const FlowVertex v : loop.nodes) {
            groups.union_set(loop.nodes.front(), v);
            joined[v] = true;
        }
    }
    return grouped(view, groups, PartRule::loop,
                   [&](FlowEdgeId id) { return joined[source(id, view.graph)]; });
}

FlowView keep_top(const FlowView& view, std::size_t most) {
    const FlowGraph& graph = view.graph;
    std::vector<FlowVertex> ranked(num_vertices(graph) -
                                   std::min<std::size_t>(2, num_vertices(graph)));
    std::iota(ranked.begin(), ranked.end(), FlowVertex{2});
    std::stable_sort(ranked.begin(), ranked.end(), [&graph](FlowVertex a, FlowVertex b) {
        return is_heavier(graph[a], graph[b]);
    });
    std::vector<bool> kept(num_vertices(graph), false);
    for (std::size_t i = 0; i < std::min(most, ranked.size()); ++i) kept[ranked[i]] = true;
    kept[kStartVertex] = kept[kEndVertex] = true;
    ViewGroups groups(num_vertices(graph));
    std::vector<bool> joined(num_vertices(graph), false);
    for (const FlowEdgeId edge : boost::make_iterator_range(edges(graph))) {
        const FlowVertex from = source(edge, graph);
        const FlowVertex to = target(edge, graph);
        if (kept[from] || kept[to] || from == to) continue;
        groups.union_set(from, to);
        joined[from] = joined[to] = true;
    }
    return grouped(view, groups, PartRule::others,
                   [&](FlowEdgeId id) { return joined[source(id, graph)]; });
}

}  // namespace tracefold
