// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/view_groups.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace tracefold {

namespace {

std::vector<u32> numbers_of(ViewGroups& groups, std::size_t vertices) {
    std::map<FlowVertex, u32> numbers;
    std::vector<u32> group_of;
    for (FlowVertex v = 0; v < vertices; ++v) {
        const FlowVertex group = groups.find_set(v);
        group_of.push_back(numbers.emplace(group, static_cast<u32>(numbers.size())).first->second);
    }
    return group_of;
}

void add_parts(std::vector<ViewPart>& group, const std::vector<ViewPart>& parts, PartRule rule) {
    if (group.empty() || rule == PartRule::chain) {
        group.insert(group.end(), parts.begin(), parts.end());
        return;
    }
    const auto append = [&group](const ViewPart& part) {
        std::vector<FlowVertex>& nodes = group.front().nodes;
        nodes.insert(nodes.end(), part.nodes.begin(), part.nodes.end());
    };
    const std::vector<ViewPart> rest(group.begin() + 1, group.end());
    for (const ViewPart& part : rest) append(part);
    for (const ViewPart& part : parts) append(part);
    group.resize(1);
    if (rule == PartRule::loop) group.front().kind = ViewPart::Kind::loop;
    if (rule == PartRule::others) group.front().kind = ViewPart::Kind::others;
}

/// The loops with groups for nodes: those of which no node is outside.
std::vector<FlowLoop> grouped(std::vector<FlowLoop> loops, const std::vector<u32>& group_of,
                              std::size_t groups) {
    for (FlowLoop& loop : loops) {
        std::vector<bool> outside(groups, false);
        std::size_t next = 0;
        for (FlowVertex v = 0; v < group_of.size(); ++v) {
            const bool inside = next < loop.nodes.size() && loop.nodes[next] == v;
            if (inside) ++next;
            outside[group_of[v]] = outside[group_of[v]] || !inside;
        }
        loop.nodes.clear();
        for (FlowVertex v = 0; v < groups; ++v) {
            if (!outside[v]) loop.nodes.push_back(v);
        }
    }
    return loops;
}

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

/// The graph with every group of nodes as one node. `group_of` has a number per vertex, from 0 on
/// without gaps; the first two are the start and the end. A node of several loses its arguments; if
/// they are not all the same call, it is a record named after how many it stands for. Edges within
/// a group that are `inner` go into its time; parallel edges become one; sequences are lost. Cost:
/// linear.
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

}  // namespace

FlowView grouped(const FlowView& view, ViewGroups& groups, PartRule rule,
                 const std::function<bool(FlowEdgeId)>& inner) {
    const std::vector<u32> group_of = numbers_of(groups, num_vertices(view.graph));
    FlowView out;
    out.whole = view.whole;
    out.graph = contract(view.graph, group_of, inner);
    out.parts.resize(num_vertices(out.graph));
    for (const FlowVertex v : program_order(view.graph)) {
        add_parts(out.parts[group_of[v]], view.parts[v], rule);
    }
    out.loops = grouped(view.loops, group_of, out.parts.size());
    return out;
}

}  // namespace tracefold
