// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_cursor.hpp"

#include <algorithm>
#include <vector>

namespace tracefold {

/// The result of RepeatFinder between two steps.
enum class Repeat : u8 {
    none,
    marked,  ///< the following steps may be a cycle
    again,   ///< the steps since the mark repeat, see cycle()
};

/// Detects loop iterations of a walk that repeat with the same values, by Brent's cycle detection:
/// every iteration is compared with a marked one, and the mark moves at powers of two. Irregular
/// loops are skipped for exponentially growing pauses. Cost: a comparison of the walk's cursors per
/// examined iteration.
///
/// A `Walk` has turn(), the loop whose iteration ends; steps() so far, modulo 2^32; watch(), which
/// saves its cursors; watched(), the number of saved values; cycle(), the effect of the steps since
/// then, and the number of their repetitions, `times`.
template <class Walk>
class RepeatFinder {
  public:
    using Cycle = typename Walk::Cycle;

    /// `walk` must outlive this object. `longest_period`: the number of iterations that are tried
    /// as a period before a pause.
    explicit RepeatFinder(Walk& walk, u64 longest_period = 4)
        : walk_(walk), longest_period_(longest_period) {}

    /// Call between steps; after Repeat::again call accept() or give_up(). Throws Error(corrupt).
    Repeat at_turn() {
        const LoopTurn turn = walk_.turn();
        return turn.node == kNone ? Repeat::none : look(turn);
    }
    /// True while an iteration is marked.
    [[nodiscard]] bool is_looking() const { return marked_; }
    [[nodiscard]] const Cycle& cycle() const { return cycle_; }
    /// True if the examined loop is not nested in another one.
    [[nodiscard]] bool is_outermost() const { return depth_ == 1; }
    /// The caller skips the repeated steps: the loop is worth examining again.
    void accept() {
        marked_ = false;
        loops_[node_].pause = 0;
        loops_[node_].next_pause = 1;
    }
    /// The steps since the mark are useless: pauses the loop.
    void give_up() {
        marked_ = false;
        Loop& loop = loops_[node_];
        loop.pause = loop.next_pause;
        loop.next_pause = std::min(2 * loop.next_pause, kLongestPause);
    }

  private:
    /// Minimum number of remaining iterations.
    static constexpr u64 kFewTrips = 4;
    /// Number of saved cursor values that cost about as much as a step.
    static constexpr u64 kCursorsOfStep = 4;
    static constexpr u64 kLongestPause = 1024;

    struct Loop {
        u64 pause = 0;  ///< iterations to skip
        u64 next_pause = 1;
        u32 end = 0;  ///< Walk::steps() at the end of its last iteration
    };

    /// Handles the end of an iteration. A turn of a loop outside the examined one ends the latter.
    Repeat look(const LoopTurn& turn) {
        if (marked_ && turn.node != node_ && turn.depth <= depth_) give_up();
        if (!marked_) return begin(turn) ? Repeat::marked : Repeat::none;
        if (turn.node != node_) return Repeat::none;
        ++length_;
        cycle_ = walk_.cycle();
        if (cycle_.times != 0) return Repeat::again;
        if (length_ < patience_) return Repeat::none;
        patience_ *= 2;
        if (patience_ > longest_period_) {
            give_up();
            return Repeat::none;
        }
        mark();
        return Repeat::marked;
    }

    /// Returns true if the loop is examined from here on.
    bool begin(const LoopTurn& turn) {
        if (turn.node >= loops_.size()) loops_.resize(turn.node + std::size_t{1});
        Loop& loop = loops_[turn.node];
        const u32 steps = walk_.steps() - loop.end;
        loop.end = walk_.steps();
        if (loop.pause != 0) --loop.pause;
        if (loop.pause != 0 || !is_worth_it(turn, steps)) return false;
        node_ = turn.node;
        depth_ = turn.depth;
        patience_ = 1;
        mark();
        return true;
    }

    /// `steps` is at least the length of an iteration.
    [[nodiscard]] bool is_worth_it(const LoopTurn& turn, u64 steps) const {
        if (turn.left < kFewTrips) return false;
        const u64 enough = walk_.watched() / kCursorsOfStep;
        return steps >= enough || turn.left >= enough || turn.left * steps >= enough;
    }

    void mark() {
        marked_ = true;
        length_ = 0;
        walk_.watch();
    }

    Walk& walk_;
    u64 longest_period_;
    Cycle cycle_;
    bool marked_ = false;
    u32 node_ = kNone;  ///< the examined loop
    u64 depth_ = 0;
    u64 length_ = 0;  ///< iterations since the mark
    u64 patience_ = 1;
    std::vector<Loop> loops_;  ///< by node
};

}  // namespace tracefold
