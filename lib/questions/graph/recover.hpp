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

/// Replays one participant from start to end from the sequences on the edges, and passes every
/// event on. Cost: O(log(out-degree)) per event; memory: the edges. Throws Error(internal) if the
/// sequences do not lead to the end.
void recover(const FlowGraph& graph, u32 location, const std::function<void(FlowVertex)>& sink);

/// Iterates over the executions of a location and their graph nodes. Unwinds every execution:
/// verifies graphs and yields exact times.
class CallNodes {
  public:
    /// The arguments must outlive this object.
    CallNodes(StructureIndex& index, SignatureSource& signatures, u32 location);

    /// Advances to the next execution; false at the end.
    bool next();
    /// The node; kNone for symbols without a node.
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

/// Compares a participant's sequence in the graph with the unwound executions. Returns the position
/// (from 0) of the first difference, if any. Precondition: the graph was built with the same
/// signatures. Cost: about 100 ns per event.
std::optional<u64> first_difference(const FlowGraph& graph, ListingSource& source,
                                    SignatureSource& signatures, u32 location);

/// Positions at which an exit of a branch node is taken, as in the paper (Aguilar, Fuerlinger,
/// Laure: Euro-Par 2014): counted from 1 among the runs of equal exits, with `count` repetitions at
/// each. FlowUse counts visits instead, which suits graphs of many ranks.
struct RunTuple {
    u64 first = 1;
    u64 last = 1;
    u64 stride = 0;
    u64 count = 1;

    bool operator==(const RunTuple&) const = default;
    [[nodiscard]] u64 positions() const { return stride == 0 ? 1 : (last - first) / stride + 1; }
};

/// Appends a later position; extends the last tuple if stride and count match.
void append(std::vector<RunTuple>& tuples, u64 position, u64 count);

/// An edge of the multigraph: a branch node has one edge per tuple.
struct RankEdge {
    FlowVertex from = 0;
    FlowVertex to = 0;
    std::optional<RunTuple> tuple;  ///< none for the only exit
    u64 count = 0;                  ///< over all positions
};

/// The event flow graph of one process, without start and end.
struct RankGraph {
    u64 events = 0;
    std::vector<FlowVertex> nodes;  ///< by first visit
    std::vector<RankEdge> edges;    ///< by the first visit of `from`, then by position

    /// Mean number of visits per node, without the first event: the cardinality of the paper.
    [[nodiscard]] double mean_cardinality() const {
        const auto led = static_cast<double>(events == 0 ? 0 : events - 1);
        return nodes.empty() ? 0 : led / static_cast<double>(nodes.size());
    }
};

/// Extracts the graph of one rank. Cost: that of recover(). Memory: the tuples.
RankGraph rank_graph(const FlowGraph& graph, u32 location);

/// Adds exact times: of the participants' calls to the nodes, between calls to the edges.
/// Preconditions: the graph was built from these participants with the same signatures and has no
/// other times; keeps_every_time() of the file's timing level. `threads` read locations; 0: one per
/// core for large traces. The result does not depend on their number. Cost: unwinds the locations
/// with times. Memory: nodes and edges per thread. Throws Error(corrupt).
void add_exact_times(FlowGraph& graph, TraceFile& file, const SignatureSource& signatures,
                     const std::vector<u32>& locations, u32 threads = 1);

}  // namespace tracefold
