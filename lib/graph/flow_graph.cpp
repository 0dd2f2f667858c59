// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/flow_graph.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

/// By vertex: where it leads to, the most frequent way last.
std::vector<std::vector<FlowVertex>> ways_out(const FlowGraph& graph) {
    std::vector<std::vector<FlowVertex>> next(num_vertices(graph));
    for (FlowVertex v = 0; v < num_vertices(graph); ++v) {
        std::vector<std::pair<u64, FlowVertex>> ways;
        for (const FlowEdgeId id : boost::make_iterator_range(out_edges(v, graph))) {
            ways.emplace_back(graph[id].count, target(id, graph));
        }
        std::stable_sort(ways.begin(), ways.end());
        for (const auto& [count, to] : ways) next[v].push_back(to);
    }
    return next;
}

}  // namespace

ParticipantList FlowEdge::participants() const {
    ParticipantList all;
    for (const FlowUse& use : uses) all.unite(use.participants);
    return all;
}

FlowStatistics statistics_of(const FlowGraph& graph) {
    FlowStatistics out;
    out.nodes = num_vertices(graph) - 2;
    for (FlowVertex v = 2; v < num_vertices(graph); ++v) {
        out.events += graph[v].visits;
        u64 edges = 0;
        for (const FlowEdgeId edge : boost::make_iterator_range(out_edges(v, graph))) {
            edges += target(edge, graph) == kEndVertex ? 0 : 1;
            for (const FlowUse& use : graph[edge].uses) out.tuples += tuple_count(use.sequence);
        }
        out.edges += edges;
        out.branches += edges > 1 ? 1 : 0;
        out.cardinality = std::max(out.cardinality, edges);
    }
    return out;
}

std::vector<FlowVertex> program_order(const FlowGraph& graph) {
    std::vector<std::vector<FlowVertex>> next = ways_out(graph);
    std::vector<bool> seen(num_vertices(graph), false);
    std::vector<FlowVertex> order;
    std::vector<FlowVertex> open{kStartVertex};
    seen[kStartVertex] = true;
    while (!open.empty()) {
        std::vector<FlowVertex>& ways = next[open.back()];
        if (ways.empty()) {
            order.push_back(open.back());
            open.pop_back();
            continue;
        }
        const FlowVertex to = ways.back();
        ways.pop_back();
        if (!seen[to]) open.push_back(to);
        seen[to] = true;
    }
    std::reverse(order.begin(), order.end());
    return order;
}

}  // namespace tracefold
