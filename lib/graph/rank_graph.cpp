// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/rank_graph.hpp"

#include "graph/recover.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// The ways out of one node.
class Exits {
  public:
    void leave(FlowVertex to) {
        if (run_ != 0 && to != to_) close();
        to_ = to;
        ++run_;
    }

    /// Passes the tuples on by their first position.
    void pass(FlowVertex from, std::vector<RankEdge>& edges) {
        if (run_ != 0) close();
        const bool branch = ways_.size() > 1;
        const auto begin = static_cast<std::ptrdiff_t>(edges.size());
        for (const Way& way : ways_) {
            for (const RunTuple& tuple : way.tuples) {
                RankEdge edge{from, way.to, std::nullopt, tuple.positions() * tuple.count};
                if (branch) edge.tuple = tuple;
                edges.push_back(edge);
            }
        }
        if (!branch) return;
        std::sort(edges.begin() + begin, edges.end(), [](const RankEdge& a, const RankEdge& b) {
            return a.tuple->first < b.tuple->first;
        });
    }

  private:
    struct Way {
        FlowVertex to;
        std::vector<RunTuple> tuples;
    };

    void close() {
        auto way = std::ranges::find(ways_, to_, &Way::to);
        if (way == ways_.end()) way = ways_.insert(way, Way{to_, {}});
        append(way->tuples, ++position_, run_);
        run_ = 0;
    }

    std::vector<Way> ways_;
    FlowVertex to_ = 0;
    u64 run_ = 0;  ///< how often in a row that way was taken so far
    u64 position_ = 0;
};

}  // namespace

void append(std::vector<RunTuple>& tuples, u64 position, u64 count) {
    if (!tuples.empty() && tuples.back().count == count) {
        RunTuple& last = tuples.back();
        const u64 stride = position - last.last;
        if (last.stride == 0 || last.stride == stride) {
            last.stride = stride;
            last.last = position;
            return;
        }
    }
    tuples.push_back({position, position, 0, count});
}

RankGraph rank_graph(const FlowGraph& graph, u32 location) {
    RankGraph result;
    std::vector<Exits> exits(num_vertices(graph));
    std::vector<bool> known(num_vertices(graph), false);
    FlowVertex before = kStartVertex;
    recover(graph, location, [&](FlowVertex node) {
        if (before != kStartVertex) exits[before].leave(node);
        if (!known[node]) result.nodes.push_back(node);
        known[node] = true;
        before = node;
        ++result.events;
    });
    for (const FlowVertex node : result.nodes) exits[node].pass(node, result.edges);
    return result;
}

}  // namespace tracefold
