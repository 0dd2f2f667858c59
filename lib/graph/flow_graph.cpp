// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/flow_graph.hpp"

#include <algorithm>

namespace tracefold::inline graph {

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

}  // namespace tracefold::inline graph
