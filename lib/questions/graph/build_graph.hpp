// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/call_names.hpp"
#include "file/trace_file.hpp"
#include "fold/column_cursor.hpp"
#include "fold/structure_index.hpp"
#include "questions/graph/detail/edge_sequence.hpp"
#include "questions/graph/detail/flow_graph.hpp"
#include "questions/graph/signature_source.hpp"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace tracefold {

/// A script with the counts and arguments of one or several locations.
struct FlowProgram {
    const Script* script = nullptr;
    const Pattern* pattern = nullptr;
    std::vector<ExecutionCounts::Use> counts;              ///< by pattern node
    std::vector<std::vector<ExecutionCounts::Use>> slots;  ///< by leaf, the slots of its signature
};

/// Simulates a program and counts the outgoing edges of every node. A loop is executed until an
/// iteration begins in the state of an earlier one (CursorState); the repeated iterations are
/// multiplied and skipped. Cost: independent of the run length for arguments that are constant,
/// cyclic or folded with the loop; linear in the iterations for irregular arguments, and in the
/// calls where the position reads them along.
class FlowWalker {
  public:
    /// `times` may be null. The arguments must outlive the walker.
    FlowWalker(const FoldedSource& folded, const FlowProgram& program, FlowAlphabet& alphabet,
               FlowPosition start, const ModelTimes* times);

    /// Returns all transitions from start to end. Call once. Throws Error(corrupt).
    Choices run();

    /// Extremes of the times on edges and in nodes, if the file has times.
    using Edge = std::pair<u32, u32>;
    [[nodiscard]] const std::map<Edge, TickSummary>& edge_times() const { return edge_times_; }
    [[nodiscard]] const std::map<u32, TickSummary>& node_times() const { return node_times_; }

  private:
    const std::vector<u32>& cursors_of(u32 node);

    void run_body(const std::vector<u32>& body, Choices& out);
    void run_node(u32 node, Choices& out);
    void iterate(u32 node, u64 trips, Choices& out);
    void run_once(u32 node, Choices& out);
    void execute(u32 leaf, Choices& out);
    EdgeTicks pass(u32 symbol, u32 node);

    void save(u32 node, CursorState& state);
    void restore(u32 node, CursorState& state);

    const FlowProgram& program_;
    FlowAlphabet& alphabet_;
    const ModelTimes* times_;
    std::vector<ColumnCursor> cursors_;  ///< of the counts by node, then of the slots by leaf
    std::vector<u32> first_slot_;        ///< by leaf: index into cursors_
    std::vector<std::vector<u32>> cursors_of_;  ///< by node, computed on demand
    FlowPosition position_;
    u32 last_ = SignatureTable::kStart;
    u32 last_symbol_ = kNone;
    TickSummary way_{1, 0, 0, 0};  ///< since the last node
    std::vector<u64> values_;
    std::map<Edge, TickSummary> edge_times_;
    std::map<u32, TickSummary> node_times_;
};

/// Merges the transitions of classes of locations into one graph. Cost: linear in the choices, plus
/// distinct uses x classes per edge.
class GraphBuilder {
  public:
    /// `timed`: the choices have ticks.
    explicit GraphBuilder(bool timed) : timed_(timed) {}

    /// Adds the transitions that each of the members takes.
    void add(const Choices& choices, const ParticipantList& members);
    /// Adds the extreme times of the class added last.
    void add_extremes(const FlowWalker& walker);

    /// Returns the graph, whose nodes are the signatures of the table. Call once.
    FlowGraph finish(const SignatureTable& table);

  private:
    void add_edges(u32 from, const ChoiceList& list, const ParticipantList& members);
    FlowEdge& edge(u32 from, u32 to);

    bool timed_;
    FlowGraph graph_{2};
    std::map<std::pair<u32, u32>, FlowEdgeId> edges_;
};

/// Classes of locations with identical scripts, counts and arguments (as far as signatures contain
/// them), by first location. Omits locations without events. Cost: locations x arguments of the
/// signatures.
std::vector<ParticipantList> flow_classes(ListingSource& source, const SignatureSource& signatures,
                                          const std::vector<bool>& selected);

/// Builds the graph of all members of some classes, with times of the file's timing model if it has
/// one. Cost: folded size per class for regular programs (FlowWalker), else linear in the events.
/// Throws Error(corrupt).
FlowGraph build_graph(TraceFile& file, ListingSource& source, SignatureSource& signatures,
                      std::vector<ParticipantList> classes);

}  // namespace tracefold
