// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/graph/graph_diff.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace tracefold {

namespace {

using Ends = std::pair<std::string, std::string>;

struct Item {
    DiffFigures figures;
    const FlowEdge* edge = nullptr;
};
using Items = std::map<Ends, Item>;

DiffFigures figures_of(u64 count, const TickSummary& time, const ComparedGraph& side) {
    return {true, static_cast<double>(count) / static_cast<double>(side.locations),
            time.mean() * side.tick, time.count != 0};
}

/// Numbers nodes with equal names.
std::vector<std::string> names_of(const ComparedGraph& side) {
    std::map<std::string, u64> seen;
    std::vector<std::string> names;
    for (FlowVertex v = 0; v < num_vertices(side.graph); ++v) {
        std::string name = side.name(v);
        const u64 number = ++seen[name];
        names.push_back(number == 1 ? name : name + " #" + std::to_string(number));
    }
    return names;
}

void list(const ComparedGraph& side, Items& nodes, Items& edges) {
    const std::vector<std::string> names = names_of(side);
    const FlowGraph& graph = side.graph;
    for (FlowVertex v = kEndVertex + 1; v < names.size(); ++v) {
        nodes[{names[v], ""}] = {figures_of(graph[v].visits, graph[v].time, side), nullptr};
    }
    for (const FlowEdgeId id : boost::make_iterator_range(boost::edges(graph))) {
        edges[{names[source(id, graph)], names[target(id, graph)]}] = {
            figures_of(graph[id].count, graph[id].time, side), &graph[id]};
    }
}

/// Orders are comparable only if all participants of each graph share them.
bool other_order(const Item& a, const Item& b) {
    if (a.edge == nullptr || b.edge == nullptr) return false;
    if (a.edge->uses.size() != 1 || b.edge->uses.size() != 1) return false;
    return a.edge->uses.front().sequence != b.edge->uses.front().sequence;
}

bool same_figures(const DiffFigures& a, const DiffFigures& b, double tolerance) {
    if (a.exists != b.exists || a.count != b.count) return false;
    if (!a.timed || !b.timed) return true;
    return std::abs(a.mean - b.mean) <= tolerance * std::max(a.mean, b.mean);
}

std::vector<FlowDifference> compare(const Items& a, const Items& b, double tolerance) {
    Items all = a;
    all.insert(b.begin(), b.end());
    std::vector<FlowDifference> differences;
    for (const auto& [ends, ignored] : all) {
        const auto in_a = a.find(ends);
        const auto in_b = b.find(ends);
        const Item left = in_a == a.end() ? Item{} : in_a->second;
        const Item right = in_b == b.end() ? Item{} : in_b->second;
        const bool order = other_order(left, right);
        if (!order && same_figures(left.figures, right.figures, tolerance)) continue;
        differences.push_back({ends.first, ends.second, left.figures, right.figures, order});
    }
    return differences;
}

}  // namespace

FlowDiff diff_graphs(const ComparedGraph& a, const ComparedGraph& b, double tolerance) {
    Items nodes_a;
    Items nodes_b;
    Items edges_a;
    Items edges_b;
    list(a, nodes_a, edges_a);
    list(b, nodes_b, edges_b);
    return {compare(nodes_a, nodes_b, tolerance), compare(edges_a, edges_b, tolerance)};
}

}  // namespace tracefold
