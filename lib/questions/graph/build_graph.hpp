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

/// A script with the numbers that one location or several have for it.
struct FlowProgram {
    const Script* script = nullptr;
    const Pattern* pattern = nullptr;
    std::vector<ExecutionCounts::Use> counts;              ///< by pattern node
    std::vector<std::vector<ExecutionCounts::Use>> slots;  ///< by leaf, those of its signature
    LeaveRule rule = LeaveRule::name;
};

/// Executes a program on paper and notes where every node is left for. A loop is gone through until
/// an iteration begins in a state like an earlier one (CursorState); the iterations between are
/// then noted as often as they come again, and skipped. Arguments that are the same in every
/// iteration, come in turns, or are folded along with the loop cost nothing therefore, however long
/// the program runs; irregular ones are walked through one by one.
class FlowWalker {
  public:
    /// `times` may be null. What is referred to must outlive the walker.
    FlowWalker(const FoldedSource& folded, const FlowProgram& program, FlowAlphabet& alphabet,
               const ModelTimes* times);

    /// All choices from start to end. Call once. Throws Error(corrupt).
    Choices run();

    /// Extremes of the times on edges and in nodes, if there are times.
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
    std::vector<u32> first_slot_;        ///< by leaf: into cursors_
    std::vector<std::vector<u32>> cursors_of_;  ///< by node, once asked for
    FlowPosition position_;
    u32 last_ = SignatureTable::kStart;
    u32 last_symbol_ = kNone;
    TickSummary way_{1, 0, 0, 0};  ///< since the last node
    std::vector<u64> values_;
    std::map<Edge, TickSummary> edge_times_;
    std::map<u32, TickSummary> node_times_;
};

/// Puts together what classes of locations do. Cost: linear in the choices, plus for every edge the
/// different uses of it times the classes.
class GraphBuilder {
  public:
    /// `timed`: the choices have ticks.
    explicit GraphBuilder(bool timed) : timed_(timed) {}

    /// What each of the members does.
    void add(const Choices& choices, const ParticipantList& members);
    /// Extremes of the times of what was added last.
    void add_extremes(const FlowWalker& walker);

    /// The graph; its nodes are the signatures of the table. Call once.
    FlowGraph finish(const SignatureTable& table);

  private:
    void add_edges(u32 from, const ChoiceList& list, const ParticipantList& members);
    FlowEdge& edge(u32 from, u32 to);

    bool timed_;
    FlowGraph graph_{2};
    std::map<std::pair<u32, u32>, FlowEdgeId> edges_;
};

/// Locations whose scripts, counts and arguments are the same, as far as a graph shows them, by
/// first location. Locations without events are in none. Cost: locations x arguments of the
/// signatures.
std::vector<ParticipantList> flow_classes(ListingSource& source, const SignatureSource& signatures,
                                          const std::vector<bool>& selected);

/// The graph of all members of some classes. Times are those of the file's model, if it has one.
/// Cost: the folded size per class where the program is regular (FlowWalker), else its events.
/// Throws Error(corrupt).
FlowGraph build_graph(TraceFile& file, ListingSource& source, SignatureSource& signatures,
                      std::vector<ParticipantList> classes);

}  // namespace tracefold
