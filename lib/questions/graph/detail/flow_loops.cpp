// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/graph/detail/flow_loops.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/strong_components.hpp>

namespace tracefold {

namespace {

constexpr u32 kMostLevels = 16;

/// Regions of the vertices at one level of the search.
struct Level {
    std::vector<u32> region;  ///< number of the strongly connected region; kNone: none
    std::vector<bool> often;  ///< visited more often than the rarest node of its region
    std::vector<u32> loops;   ///< by region: the innermost enclosing loop, kNone: none
};

/// Selects edges between frequent nodes of a region.
struct WithinRegions {
    const FlowGraph* graph = nullptr;
    const Level* level = nullptr;

    bool operator()(const FlowEdgeId& edge) const {
        const FlowVertex from = source(edge, *graph);
        const FlowVertex to = target(edge, *graph);
        return level->region[to] != kNone && level->region[to] == level->region[from] &&
               level->often[from] && level->often[to];
    }
};

class LoopFinder {
  public:
    explicit LoopFinder(const FlowGraph& graph) : graph_(graph) {}

    std::vector<FlowLoop> run() {
        const std::size_t size = num_vertices(graph_);
        Level level{std::vector<u32>(size, 0), std::vector<bool>(size, true), {kNone}};
        for (u32 i = 0; i < kMostLevels && !level.loops.empty(); ++i) level = split(level);
        return std::move(loops_);
    }

  private:
    /// The regions nested in those of one level.
    Level split(const Level& outer) {
        const WithinRegions within{&graph_, &outer};
        const boost::filtered_graph<FlowGraph, WithinRegions> inner(graph_, within);
        std::vector<std::size_t> component(num_vertices(graph_));
        strong_components(inner, boost::make_iterator_property_map(
                                     component.begin(), get(boost::vertex_index, graph_)));
        std::map<std::size_t, std::vector<FlowVertex>> members;
        for (FlowVertex v = 0; v < component.size(); ++v) members[component[v]].push_back(v);
        std::map<FlowVertex, std::vector<FlowVertex>> regions;  // by first node
        for (auto& [number, nodes] : members) {
            const FlowVertex first = nodes.front();
            const auto [itself, exists] = boost::edge(first, first, graph_);
            if (nodes.size() > 1 || (exists && within(itself))) {
                regions.emplace(first, std::move(nodes));
            }
        }
        Level found{std::vector<u32>(component.size(), kNone),
                    std::vector<bool>(component.size(), false),
                    {}};
        for (const auto& [first, nodes] : regions) {
            add_region(nodes, outer.loops[outer.region[first]], found);
        }
        return found;
    }

    [[nodiscard]] double visits_each(FlowVertex v) const {
        return static_cast<double>(graph_[v].visits) /
               static_cast<double>(graph_[v].participants.size());
    }

    void add_region(const std::vector<FlowVertex>& nodes, u32 parent, Level& level) {
        for (const FlowVertex v : nodes) level.region[v] = static_cast<u32>(level.loops.size());
        double rarest = visits_each(nodes.front());
        for (const FlowVertex v : nodes) rarest = std::min(rarest, visits_each(v));
        for (const FlowVertex v : nodes) {
            level.often[v] = visits_each(v) >= kLeastIterations * rarest;
        }
        const u32 depth = parent == kNone ? 0 : loops_[parent].depth + 1;
        FlowLoop loop{parent, depth, nodes, members(nodes), 0, 0, 0};
        sum_up(level, loop);
        const double each =
            static_cast<double>(loop.entries) / static_cast<double>(loop.participants);
        loop.iterations = each == 0 ? rarest : rarest / std::max(each, 1.0);
        const bool noted = loop.iterations >= kLeastIterations;
        level.loops.push_back(noted ? static_cast<u32>(loops_.size()) : parent);
        if (noted) loops_.push_back(std::move(loop));
    }

    [[nodiscard]] u64 members(const std::vector<FlowVertex>& nodes) const {
        ParticipantList all;
        for (const FlowVertex v : nodes) all.unite(graph_[v].participants);
        return std::max<u64>(all.size(), 1);
    }

    /// Computes the time in the loop and its number of entries.
    void sum_up(const Level& level, FlowLoop& loop) const {
        for (const FlowVertex v : loop.nodes) {
            loop.ticks += graph_[v].time.total;
            for (const FlowEdgeId edge : boost::make_iterator_range(in_edges(v, graph_))) {
                const bool inside = level.region[source(edge, graph_)] == level.region[v];
                if (inside) loop.ticks += graph_[edge].time.total;
                loop.entries += inside ? 0 : graph_[edge].count;
            }
        }
    }

    const FlowGraph& graph_;
    std::vector<FlowLoop> loops_;
};

}  // namespace

std::vector<FlowLoop> find_loops(const FlowGraph& graph) { return LoopFinder(graph).run(); }

}  // namespace tracefold
