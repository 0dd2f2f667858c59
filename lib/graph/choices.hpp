// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"
#include "graph/edge_sequence.hpp"

#include <map>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Mean ticks spent on an edge and in the call that it leads to, summed up.
struct EdgeTicks {
    double between = 0;
    double within = 0;

    EdgeTicks& operator+=(const EdgeTicks& other) {
        between += other.between;
        within += other.within;
        return *this;
    }
    EdgeTicks operator*(double times) const { return {between * times, within * times}; }
};

/// A node left for the node `to`, `count` visits in a row; or a loop over such choices.
struct Choice {
    u32 to = kNone;
    u64 count = 1;  ///< of a loop: iterations
    EdgeTicks ticks;
    std::vector<Choice> body;  ///< of a loop

    /// The same choices, whatever the time.
    [[nodiscard]] bool like(const Choice& other) const;
};

/// Where a node is left for, visit by visit, as nested loops. Memory: the folded size.
class ChoiceList {
  public:
    void add(Choice choice);
    void add(ChoiceList list);
    /// All of it `times` times.
    void repeat(u64 times);

    /// What is known of one of the edges.
    struct Edge {
        u64 count = 0;
        EdgeTicks ticks;
        EdgeSequence sequence;
    };
    /// The edges out of the node, by where they lead. Cost: linear in the folded size x the number
    /// of edges in a loop.
    [[nodiscard]] std::map<u32, Edge> edges() const;

  private:
    bool join_loop();
    bool absorb_loop();

    static constexpr std::size_t kNoLoop = ~std::size_t{0};

    std::vector<Choice> items_;
    std::size_t last_loop_ = kNoLoop;  ///< in items_
};

/// The choices at all nodes of a stretch of execution.
class Choices {
  public:
    void add(u32 from, u32 to, EdgeTicks ticks) { lists_[from].add({to, 1, ticks, {}}); }
    /// Appends what happens next. Cost: linear in its nodes, and in the length of short loops.
    void add(Choices&& next);
    void repeat(u64 times);
    void clear() { lists_.clear(); }

    [[nodiscard]] const std::unordered_map<u32, ChoiceList>& lists() const { return lists_; }

  private:
    std::unordered_map<u32, ChoiceList> lists_;  ///< by node
};

}  // namespace tracefold
