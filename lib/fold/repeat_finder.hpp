// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_cursor.hpp"

#include <algorithm>
#include <vector>

namespace tracefold {

/// What RepeatFinder finds between two steps.
enum class Repeat : u8 {
    none,
    marked,  ///< what is read from here on may come again
    again,   ///< what was read since the mark comes again, as cycle() says
};

/// Finds out whether the iterations of a walk's loops come again, with the same values. Brent's
/// way of finding a period: every iteration is compared with a marked one, and the mark moves on at
/// powers of two. Loops that do not repeat are left alone for longer and longer. Cost: a comparison
/// of the walk's cursors per iteration that is looked at.
///
/// A `Walk` has turn(), the loop of which an iteration ends; steps() so far, modulo 2^32; watch(),
/// which saves its cursors; watched(), how many numbers that were; cycle(), what becomes of the
/// steps since then, with `times` in a row that they come again.
template <class Walk>
class RepeatFinder {
  public:
    using Cycle = typename Walk::Cycle;

    /// `walk` must outlive this object. `longest_period`: iterations that are tried as a period
    /// before it is given up for a while.
    explicit RepeatFinder(Walk& walk, u64 longest_period = 4)
        : walk_(walk), longest_period_(longest_period) {}

    /// Between any two steps. After Repeat::again either accept() or give_up() follows. Throws
    /// Error(corrupt).
    Repeat at_turn() {
        const LoopTurn turn = walk_.turn();
        return turn.node == kNone ? Repeat::none : look(turn);
    }
    /// There is a mark.
    [[nodiscard]] bool is_looking() const { return marked_; }
    [[nodiscard]] const Cycle& cycle() const { return cycle_; }
    /// Whether the loop that is looked at is in no other one.
    [[nodiscard]] bool is_outermost() const { return depth_ == 1; }
    /// The steps that come again will be left out: the loop is worth looking at.
    void accept() {
        marked_ = false;
        loops_[node_].pause = 0;
        loops_[node_].next_pause = 1;
    }
    /// What was read since the mark is of no use: leaves the loop alone for a while.
    void give_up() {
        marked_ = false;
        Loop& loop = loops_[node_];
        loop.pause = loop.next_pause;
        loop.next_pause = std::min(2 * loop.next_pause, kLongestPause);
    }

  private:
    /// Loops with fewer iterations to come are not worth it.
    static constexpr u64 kFewTrips = 4;
    /// Nor are those with few steps to come: saving this many numbers of the cursors is taken to
    /// cost as much as a step.
    static constexpr u64 kCursorsOfStep = 4;
    static constexpr u64 kLongestPause = 1024;

    struct Loop {
        u64 pause = 0;  ///< iterations that it is left alone
        u64 next_pause = 1;
        u32 end = 0;  ///< Walk::steps() where its last iteration ended
    };

    /// At the end of an iteration. If another loop turns that is not within the one that is looked
    /// at, that one is over.
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

    /// True if the loop is looked at from here on.
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

    /// `steps`: of an iteration, or more.
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
    u32 node_ = kNone;  ///< the loop
    u64 depth_ = 0;
    u64 length_ = 0;  ///< iterations since the mark
    u64 patience_ = 1;
    std::vector<Loop> loops_;  ///< by node
};

}  // namespace tracefold
