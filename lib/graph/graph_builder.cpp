// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/graph_builder.hpp"

#include <algorithm>

namespace tracefold::inline graph {

namespace {

void add_use(FlowEdge& edge, FlowUse use) {
    for (FlowUse& known : edge.uses) {
        if (known.count != use.count || known.sequence != use.sequence) continue;
        known.participants.unite(use.participants);
        return;
    }
    edge.uses.push_back(std::move(use));
}

void widen(TickSummary& summary, const TickSummary& seen) {
    summary.minimum = std::min(summary.minimum, seen.minimum);
    summary.maximum = std::max(summary.maximum, seen.maximum);
}

}  // namespace

void GraphBuilder::add(const Choices& choices, const ParticipantList& members) {
    std::map<u32, const ChoiceList*> by_node;
    for (const auto& [from, list] : choices.lists()) by_node.emplace(from, &list);
    for (const auto& [from, list] : by_node) add_edges(from, *list, members);
}

void GraphBuilder::add_edges(u32 from, const ChoiceList& list, const ParticipantList& members) {
    const double locations = static_cast<double>(members.size());
    auto edges = list.edges();
    for (auto& [to, taken] : edges) {
        if (edges.size() == 1) taken.sequence.clear();
        FlowEdge& out = edge(from, to);
        const u64 all = taken.count * members.size();
        out.count += all;
        graph_[to].visits += all;
        graph_[to].participants.unite(members);
        if (timed_) {
            out.time.count += all;
            out.time.total += taken.ticks.between * locations;
            graph_[to].time.count += all;
            graph_[to].time.total += taken.ticks.within * locations;
        }
        add_use(out, {members, taken.count, std::move(taken.sequence)});
    }
}

FlowEdge& GraphBuilder::edge(u32 from, u32 to) {
    while (num_vertices(graph_) <= std::max(from, to)) add_vertex(graph_);
    auto known = edges_.find({from, to});
    if (known == edges_.end()) {
        known = edges_.emplace(std::pair(from, to), add_edge(from, to, graph_).first).first;
    }
    return graph_[known->second];
}

void GraphBuilder::add_extremes(const FlowWalker& walker) {
    for (const auto& [ends, seen] : walker.edge_times()) {
        widen(edge(ends.first, ends.second).time, seen);
    }
    for (const auto& [node, seen] : walker.node_times()) widen(graph_[node].time, seen);
}

FlowGraph GraphBuilder::finish(const SignatureTable& table) {
    for (FlowVertex v = 0; v < num_vertices(graph_); ++v) {
        graph_[v].signature = table.at(static_cast<u32>(v));
    }
    graph_[boost::graph_bundle].paths = table.paths();
    return std::move(graph_);
}

}  // namespace tracefold::inline graph
