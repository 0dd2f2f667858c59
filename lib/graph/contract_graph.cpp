// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/contract_graph.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace tracefold::inline graph {

namespace {

/// One node more in a group that stands for `size` with it.
void add_node(FlowNode& group, const FlowNode& node, u64 size) {
    group.participants.unite(node.participants);
    group.visits += node.visits;
    group.time.add(node.time);
    Signature& signature = group.signature;
    signature.arguments.clear();
    if (signature.kind == node.signature.kind && signature.name == node.signature.name) return;
    signature.kind = CallKind::record;
    signature.name = std::to_string(size) + " nodes";
}

void add_edge_to(FlowEdge& sum, const FlowEdge& edge) {
    sum.count += edge.count;
    sum.time.add(edge.time);
    for (const FlowUse& use : edge.uses) {
        if (sum.uses.empty()) sum.uses.emplace_back();
        sum.uses.front().participants.unite(use.participants);
    }
}

}  // namespace

FlowGraph contract(const FlowGraph& graph, const std::vector<u32>& group_of,
                   const std::function<bool(FlowEdgeId)>& inner) {
    const u32 groups = *std::max_element(group_of.begin(), group_of.end()) + 1;
    FlowGraph out(groups);
    out[boost::graph_bundle] = graph[boost::graph_bundle];
    std::vector<u64> sizes(groups, 0);
    for (FlowVertex v = 0; v < group_of.size(); ++v) {
        FlowNode& group = out[group_of[v]];
        if (++sizes[group_of[v]] == 1) {
            group = graph[v];
        } else {
            add_node(group, graph[v], sizes[group_of[v]]);
        }
    }
    std::map<std::pair<u32, u32>, FlowEdgeId> known;
    for (const FlowEdgeId id : boost::make_iterator_range(edges(graph))) {
        const u32 from = group_of[source(id, graph)];
        const u32 to = group_of[target(id, graph)];
        if (from == to && inner(id)) {
            out[from].time.total += graph[id].time.total;
            continue;
        }
        auto edge = known.find({from, to});
        if (edge == known.end()) {
            edge = known.emplace(std::pair(from, to), add_edge(from, to, out).first).first;
        }
        add_edge_to(out[edge->second], graph[id]);
    }
    return out;
}

}  // namespace tracefold::inline graph
