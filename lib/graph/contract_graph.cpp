// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/contract_graph.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include <boost/pending/disjoint_sets.hpp>

namespace tracefold {

namespace {

void add_node(FlowNode& group, const FlowNode& node) {
    group.participants.unite(node.participants);
    group.visits += node.visits;
    group.time.add(node.time);
}

/// Numbers by first appearance.
std::vector<u32> numbered(const std::vector<FlowVertex>& representative) {
    std::map<FlowVertex, u32> numbers;
    std::vector<u32> group_of;
    for (const FlowVertex r : representative) {
        group_of.push_back(numbers.emplace(r, static_cast<u32>(numbers.size())).first->second);
    }
    return group_of;
}

}  // namespace

FlowGraph contract(const FlowGraph& graph, const std::vector<u32>& group_of) {
    const u32 groups = *std::max_element(group_of.begin(), group_of.end()) + 1;
    FlowGraph out(groups);
    out[boost::graph_bundle] = graph[boost::graph_bundle];
    std::vector<u64> sizes(groups, 0);
    for (FlowVertex v = 0; v < group_of.size(); ++v) {
        FlowNode& group = out[group_of[v]];
        if (++sizes[group_of[v]] == 1) {
            group = graph[v];
            continue;
        }
        add_node(group, graph[v]);
        group.signature.arguments.clear();
        group.signature.kind = CallKind::record;
        group.signature.name = std::to_string(sizes[group_of[v]]) + " nodes";
    }
    std::map<std::pair<u32, u32>, FlowEdgeId> known;
    for (const FlowEdgeId id : boost::make_iterator_range(edges(graph))) {
        const u32 from = group_of[source(id, graph)];
        const u32 to = group_of[target(id, graph)];
        if (from == to && sizes[from] > 1) {
            out[from].time.total += graph[id].time.total;
            continue;
        }
        auto edge = known.find({from, to});
        if (edge == known.end()) {
            edge = known.emplace(std::pair(from, to), add_edge(from, to, out).first).first;
        }
        FlowEdge& sum = out[edge->second];
        sum.count += graph[id].count;
        sum.time.add(graph[id].time);
        for (const FlowUse& use : graph[id].uses) {
            if (sum.uses.empty()) sum.uses.emplace_back();
            sum.uses.front().participants.unite(use.participants);
        }
    }
    return out;
}

std::vector<u32> collapse_loops(const FlowGraph& graph, const std::vector<FlowLoop>& loops,
                                u32 depth) {
    std::vector<FlowVertex> representative(num_vertices(graph));
    std::iota(representative.begin(), representative.end(), FlowVertex{0});
    for (const FlowLoop& loop : loops) {
        if (loop.depth != depth) continue;
        for (const FlowVertex v : loop.nodes) representative[v] = loop.nodes.front();
    }
    return numbered(representative);
}

std::vector<u32> keep_top(const FlowGraph& graph, std::size_t most) {
    std::vector<FlowVertex> ranked(num_vertices(graph) -
                                   std::min<std::size_t>(2, num_vertices(graph)));
    std::iota(ranked.begin(), ranked.end(), FlowVertex{2});
    std::stable_sort(ranked.begin(), ranked.end(), [&graph](FlowVertex a, FlowVertex b) {
        const auto weight = [&graph](FlowVertex v) {
            return std::pair(graph[v].time.total, graph[v].visits);
        };
        return weight(a) > weight(b);
    });
    std::vector<bool> kept(num_vertices(graph), false);
    for (std::size_t i = 0; i < std::min(most, ranked.size()); ++i) kept[ranked[i]] = true;
    kept[kStartVertex] = kept[kEndVertex] = true;
    boost::disjoint_sets_with_storage<> sets(num_vertices(graph));
    for (const FlowEdgeId edge : boost::make_iterator_range(edges(graph))) {
        const FlowVertex from = source(edge, graph);
        const FlowVertex to = target(edge, graph);
        if (!kept[from] && !kept[to]) sets.union_set(from, to);
    }
    std::vector<FlowVertex> representative;
    for (FlowVertex v = 0; v < num_vertices(graph); ++v) {
        representative.push_back(kept[v] ? v : sets.find_set(v));
    }
    return numbered(representative);
}

}  // namespace tracefold
