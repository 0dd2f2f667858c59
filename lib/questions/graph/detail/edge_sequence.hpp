// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <map>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Visits of a node at which an edge out of it is taken, counted from 1: blocks of `count` visits
/// in a row that begin at first, first + stride, ..., last.
struct SequenceTuple {
    u64 first = 1;
    u64 last = 1;
    u64 stride = 0;
    u64 count = 1;

    bool operator==(const SequenceTuple&) const = default;
    [[nodiscard]] u64 blocks() const { return first == last ? 1 : (last - first) / stride + 1; }
};

struct SequencePart;

/// The visits at which one edge is taken, rising.
using EdgeSequence = std::vector<SequencePart>;

/// A tuple, or parts that come again and again, each time `shift` visits later: with them a nest of
/// loops of any depth takes as little room as one loop.
struct SequencePart {
    SequenceTuple tuple;  ///< if there is nothing inside
    u64 times = 1;
    u64 shift = 0;
    EdgeSequence inside;

    bool operator==(const SequencePart&) const = default;
};

/// Appends a later part, as a continuation of the last tuple where it is one. Cost: O(1).
void append(EdgeSequence& sequence, SequencePart part);

/// The sequence `times` times, each time `shift` visits later. Precondition: all visits lie within
/// 1 .. shift. Cost: O(1) for a single tuple, else that of moving it inside of a part.
EdgeSequence repeat(EdgeSequence sequence, u64 times, u64 shift);

/// All visits `by` later.
EdgeSequence shifted(EdgeSequence sequence, u64 by);

/// Tuples in all parts, for statistics.
u64 tuple_count(const EdgeSequence& sequence);

/// Walks a sequence visit by visit in O(depth) memory. The sequence must outlive the cursor.
class SequenceCursor {
  public:
    explicit SequenceCursor(const EdgeSequence& sequence) {
        frames_.push_back({&sequence, 0, 1, 0, 0});
    }

    /// The next visit; false at the end.
    bool next(u64& visit);

  private:
    struct Frame {
        const EdgeSequence* parts;
        std::size_t part;
        u64 times_left;
        u64 shift;
        u64 offset;
    };

    bool next_block();

    std::vector<Frame> frames_;
    const SequenceTuple* tuple_ = nullptr;
    u64 block_ = 0;  ///< begin of the running one
    u64 visit_ = 0;  ///< the next one
    u64 left_ = 0;   ///< in the running block
};

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
