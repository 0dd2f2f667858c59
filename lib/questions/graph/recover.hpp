// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/call_names.hpp"
#include "file/trace_file.hpp"
#include "fold/structure_index.hpp"
#include "questions/graph/detail/flow_graph.hpp"
#include "questions/graph/signature_source.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace tracefold {

/// Walks through the graph as one of its participants did, from the start to the end, by the
/// sequences on its edges alone, and passes every event on. Cost: O(log(edges out of the node)) per
/// event; memory: the edges. Throws Error(internal) if the graph does not lead to the end.
void recover(const FlowGraph& graph, u32 location, const std::function<void(FlowVertex)>& sink);

/// The executions of a location one by one, with the nodes that they are: the plain way, which
/// unwinds everything. It proves what the graph says, and it is the way to exact times.
class CallNodes {
  public:
    /// What is referred to must outlive this object.
    CallNodes(StructureIndex& index, SignatureSource& signatures, u32 location);

    /// Goes to the next execution; false at the end.
    bool next();
    /// The node; kNone for symbols that are none.
    [[nodiscard]] u32 node() const { return node_; }

  private:
    void pick_values(const std::vector<u32>& wanted);

    StructureIndex& index_;
    SignatureSource& signatures_;
    LocationCursor cursor_;
    u32 symbol_ = 0;
    u32 node_ = kNone;
    FlowPosition position_;
    AppendBuffer<u64> values_;
    std::vector<u64> picked_;
};

/// Compares the sequence that the graph gives for a participant with the executions of the trace,
/// unwound one by one. Nothing if they are equal, else the place (from 0) of the first difference.
/// The graph must have been built with the same signatures. Cost: some 100 ns per event.
std::optional<u64> first_difference(const FlowGraph& graph, ListingSource& source,
                                    SignatureSource& signatures, u32 location);

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

/// Adds the times of the calls of some participants to the nodes, and those between them to the
/// edges. The graph must have been built from these participants with the same signatures and have
/// no other times. `threads`: those that read locations; 0 for one per core where there are events
/// enough. The result does not depend on it. Cost: unwinds the locations with their times. Memory:
/// the nodes and edges for each thread. Throws Error(corrupt). Precondition: keeps_every_time() of
/// the file's timing level.
void add_exact_times(FlowGraph& graph, TraceFile& file, const SignatureSource& signatures,
                     const std::vector<u32>& locations, u32 threads = 1);

}  // namespace tracefold
