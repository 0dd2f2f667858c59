// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_cursor.hpp"
#include "fold/execution_counts.hpp"
#include "graph/choices.hpp"
#include "graph/edge_times.hpp"
#include "graph/flow_signature.hpp"

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

}  // namespace tracefold
