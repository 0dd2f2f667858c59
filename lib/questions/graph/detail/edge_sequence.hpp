// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <map>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Visits at which a node is left through an edge, counted from 1: blocks of `count` consecutive
/// visits that begin at first, first + stride, ..., last.
struct SequenceTuple {
    u64 first = 1;
    u64 last = 1;
    u64 stride = 0;
    u64 count = 1;

    bool operator==(const SequenceTuple&) const = default;
    [[nodiscard]] u64 blocks() const { return first == last ? 1 : (last - first) / stride + 1; }
};

struct SequencePart;

/// Visits at which one edge is taken, ascending.
using EdgeSequence = std::vector<SequencePart>;

/// A tuple, or parts that repeat, each time `shift` visits later. Nested loops of any depth need as
/// little memory as one loop.
struct SequencePart {
    SequenceTuple tuple;  ///< if `inside` is empty
    u64 times = 1;
    u64 shift = 0;
    EdgeSequence inside;

    bool operator==(const SequencePart&) const = default;
};

/// Appends a later part; extends the last tuple if possible. Cost: O(1).
void append(EdgeSequence& sequence, SequencePart part);

/// Repeats the sequence `times` times, each time `shift` visits later. Precondition: all visits are
/// in 1 .. shift. Cost: O(1) for a single tuple, else the move into a part.
EdgeSequence repeat(EdgeSequence sequence, u64 times, u64 shift);

/// Shifts all visits by `by`.
EdgeSequence shifted(EdgeSequence sequence, u64 by);

/// Number of tuples in all parts, for statistics.
u64 tuple_count(const EdgeSequence& sequence);

/// Iterates over the visits of a sequence in O(depth) memory. The sequence must outlive the cursor.
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
    u64 block_ = 0;  ///< begin of the current block
    u64 visit_ = 0;  ///< next visit
    u64 left_ = 0;   ///< in the current block
};

/// Mean ticks on an edge and in the call that it leads to, as sums.
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

/// A transition to the node `to`, on `count` consecutive visits; or a loop over transitions.
struct Choice {
    u32 to = kNone;
    u64 count = 1;  ///< of a loop: iterations
    EdgeTicks ticks;
    std::vector<Choice> body;  ///< of a loop

    /// Whether the choices are equal, ignoring times.
    [[nodiscard]] bool like(const Choice& other) const;
};

/// Transitions out of a node, visit by visit, as nested loops. Memory: the folded size.
class ChoiceList {
  public:
    void add(Choice choice);
    void add(ChoiceList list);
    /// Repeats the whole list `times` times.
    void repeat(u64 times);

    /// Use of one outgoing edge.
    struct Edge {
        u64 count = 0;
        EdgeTicks ticks;
        EdgeSequence sequence;
    };
    /// Edges out of the node, by target. Cost: folded size x number of edges in a loop.
    [[nodiscard]] std::map<u32, Edge> edges() const;

  private:
    bool join_loop();
    bool absorb_loop();

    static constexpr std::size_t kNoLoop = ~std::size_t{0};

    std::vector<Choice> items_;
    std::size_t last_loop_ = kNoLoop;  ///< index into items_
};

/// The choices at all nodes during a part of the execution.
class Choices {
  public:
    void add(u32 from, u32 to, EdgeTicks ticks) { lists_[from].add({to, 1, ticks, {}}); }
    /// Appends the subsequent part. Cost: linear in its nodes and in the length of short loops.
    void add(Choices&& next);
    void repeat(u64 times);
    void clear() { lists_.clear(); }

    [[nodiscard]] const std::unordered_map<u32, ChoiceList>& lists() const { return lists_; }

  private:
    std::unordered_map<u32, ChoiceList> lists_;  ///< by node
};

}  // namespace tracefold
