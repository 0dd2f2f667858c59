// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "graph/flow_graph.hpp"

#include <optional>
#include <vector>

namespace tracefold {

/// When an exit of a branch node is taken, as in the paper (Aguilar, Fuerlinger, Laure: Euro-Par
/// 2014): at these positions among the runs of equal exits, counted from 1, and `count` times in a
/// row at each. FlowUse counts visits instead, which suits graphs of many ranks.
struct RunTuple {
    u64 first = 1;
    u64 last = 1;
    u64 stride = 0;
    u64 count = 1;

    bool operator==(const RunTuple&) const = default;
    [[nodiscard]] u64 positions() const { return stride == 0 ? 1 : (last - first) / stride + 1; }
};

/// Appends a later position, to the last tuple where its stride and count go on.
void append(std::vector<RunTuple>& tuples, u64 position, u64 count);

/// An edge of the multigraph: of a branch node there is one per tuple.
struct RankEdge {
    FlowVertex from = 0;
    FlowVertex to = 0;
    std::optional<RunTuple> tuple;  ///< nothing where it is the only way out
    u64 count = 0;                  ///< of all positions together
};

/// The event flow graph of one process, without start and end.
struct RankGraph {
    u64 events = 0;
    std::vector<FlowVertex> nodes;  ///< by their first visit
    std::vector<RankEdge> edges;    ///< by the first visit of `from`, then by position

    /// Visits of a node that are led to by an edge, on average: the cardinality of the paper.
    [[nodiscard]] double mean_cardinality() const {
        const auto led = static_cast<double>(events == 0 ? 0 : events - 1);
        return nodes.empty() ? 0 : led / static_cast<double>(nodes.size());
    }
};

/// Cost: that of recover(). Memory: the tuples.
RankGraph rank_graph(const FlowGraph& graph, u32 location);

}  // namespace tracefold
