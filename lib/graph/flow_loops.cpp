// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/flow_loops.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/strong_components.hpp>

namespace tracefold {

namespace {

constexpr u32 kMostLevels = 16;

/// Edges within one of the loops found so far (or anywhere at first) that do not lead to its
/// header.
struct WithinLoops {
    const FlowGraph* graph = nullptr;
    const std::vector<FlowLoop>* loops = nullptr;
    const std::vector<u32>* loop_of = nullptr;
    bool all = false;

    bool operator()(const FlowEdgeId& edge) const {
        if (all) return true;
        const u32 loop = (*loop_of)[source(edge, *graph)];
        return loop != kNone && loop == (*loop_of)[target(edge, *graph)] &&
               (*loops)[loop].header != target(edge, *graph);
    }
};

class LoopFinder {
  public:
    explicit LoopFinder(const FlowGraph& graph)
        : graph_(graph), loop_of_(num_vertices(graph), kNone) {}

    std::vector<FlowLoop> run() {
        for (u32 level = 0; level < kMostLevels; ++level) {
            if (!split(level)) break;
        }
        return std::move(loops_);
    }

  private:
    /// Finds the loops of one level in those of the level before; false if there are none.
    bool split(u32 level) {
        const WithinLoops within{&graph_, &loops_, &loop_of_, level == 0};
        const boost::filtered_graph<FlowGraph, WithinLoops> inner(graph_, within);
        std::vector<std::size_t> component(num_vertices(graph_));
        strong_components(inner, boost::make_iterator_property_map(
                                     component.begin(), get(boost::vertex_index, graph_)));
        std::map<std::size_t, std::vector<FlowVertex>> members;
        for (FlowVertex v = 0; v < component.size(); ++v) members[component[v]].push_back(v);
        std::vector<FlowLoop> found;
        for (auto& [number, nodes] : members) {
            if (nodes.size() > 1 || within_itself(nodes.front(), within)) {
                found.push_back(loop_with(std::move(nodes), level));
            }
        }
        std::sort(found.begin(), found.end(), [](const FlowLoop& a, const FlowLoop& b) {
            return a.nodes.front() < b.nodes.front();
        });
        std::fill(loop_of_.begin(), loop_of_.end(), kNone);
        for (FlowLoop& loop : found) {
            for (const FlowVertex v : loop.nodes) loop_of_[v] = static_cast<u32>(loops_.size());
            loops_.push_back(std::move(loop));
        }
        return !found.empty();
    }

    [[nodiscard]] bool within_itself(FlowVertex v, const WithinLoops& within) const {
        const auto [edge, exists] = boost::edge(v, v, graph_);
        return exists && within(edge);
    }

    [[nodiscard]] FlowLoop loop_with(std::vector<FlowVertex> nodes, u32 level) const {
        FlowLoop loop;
        loop.depth = level;
        loop.parent = loop_of_[nodes.front()];
        loop.nodes = std::move(nodes);
        const auto inside = [&loop](FlowVertex v) {
            return std::binary_search(loop.nodes.begin(), loop.nodes.end(), v);
        };
        u64 most = 0;
        loop.header = loop.nodes.front();
        for (const FlowVertex v : loop.nodes) {
            loop.ticks += graph_[v].time.total;
            u64 entries = 0;
            for (const FlowEdgeId edge : boost::make_iterator_range(in_edges(v, graph_))) {
                const bool internal = inside(source(edge, graph_));
                if (internal) loop.ticks += graph_[edge].time.total;
                entries += internal ? 0 : graph_[edge].count;
            }
            loop.entries += entries;
            if (entries > most) loop.header = v;
            most = std::max(most, entries);
        }
        loop.iterations = graph_[loop.header].visits;
        return loop;
    }

    const FlowGraph& graph_;
    std::vector<FlowLoop> loops_;
    std::vector<u32> loop_of_;  ///< of the level before
};

}  // namespace

std::vector<FlowLoop> find_loops(const FlowGraph& graph) { return LoopFinder(graph).run(); }

std::vector<u32> innermost_loops(const std::vector<FlowLoop>& loops, std::size_t vertices) {
    std::vector<u32> innermost(vertices, kNone);
    for (u32 loop = 0; loop < loops.size(); ++loop) {
        for (const FlowVertex v : loops[loop].nodes) innermost[v] = loop;
    }
    return innermost;
}

}  // namespace tracefold
