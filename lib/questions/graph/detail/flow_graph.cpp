// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/graph/detail/flow_graph.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

constexpr u64 pair_of(u32 from, u32 to) { return u64{from} << 32U | to; }

/// Time of one execution: the mean over the members, the extremes over all.
TickSummary summary_of(const Durations& durations, const std::vector<u32>& members) {
    double sum = 0;
    for (const u32 member : members) sum += static_cast<double>(mean_of(durations, member));
    return {1, sum / static_cast<double>(members.size()), durations.all.min(), durations.all.max()};
}

template <class Map, class Key>
TickSummary find(const Map& map, Key key) {
    const auto found = map.find(key);
    return found == map.end() ? TickSummary{1, 0, 0, 0} : found->second;
}

}  // namespace

void TickSummary::add(const TickSummary& other) {
    count += other.count;
    total += other.total;
    minimum = std::min(minimum, other.minimum);
    maximum = std::max(maximum, other.maximum);
}

ModelTimes::ModelTimes(const TimingModel& model, const std::vector<u32>& members) {
    for (const TimingModel::Node& node : model.nodes) {
        within_.emplace(node.symbol, summary_of(node.durations, members));
    }
    for (const TimingModel::Edge& edge : model.edges) {
        between_.emplace(pair_of(edge.from, edge.to), summary_of(edge.durations, members));
    }
}

TickSummary ModelTimes::between(u32 from, u32 to) const {
    return find(between_, pair_of(from, to));
}

TickSummary ModelTimes::within(u32 symbol) const { return find(within_, symbol); }

namespace {

/// Successors of each vertex, the most frequent last.
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
