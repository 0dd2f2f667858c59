// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/call_unwinder.hpp"

#include <vector>

namespace tracefold {

/// Finds out whether the iterations of a location's loops come again, with the same calls and
/// values. Brent's way of finding a period: every iteration is compared with a marked one, and the
/// mark moves on at powers of two. Loops that do not repeat are left alone for longer and longer.
/// Cost: a comparison of the location's cursors per iteration that is looked at.
class RepeatFinder {
  public:
    enum class Turn : u8 {
        none,
        marked,  ///< what is read from here on may come again
        again,   ///< what was read since the mark comes again, as cycle() says
    };

    /// `calls` must outlive this object.
    explicit RepeatFinder(CallUnwinder& calls) : calls_(calls) {}

    /// Between any two calls. After Turn::again either accept() or give_up() follows. Throws
    /// Error(corrupt).
    Turn at_turn() {
        const LoopTurn turn = calls_.turn();
        return turn.node == kNone ? Turn::none : look(turn);
    }
    /// There is a mark.
    [[nodiscard]] bool is_looking() const { return marked_; }
    [[nodiscard]] const CallUnwinder::Cycle& cycle() const { return cycle_; }
    /// Whether the loop that is looked at is in no other one.
    [[nodiscard]] bool is_outermost() const { return outermost_; }
    /// The calls that come again will be left out: the loop is worth looking at.
    void accept();
    /// What was read since the mark is of no use: leaves the loop alone for a while.
    void give_up();

  private:
    /// Loops with fewer iterations to come are not worth it.
    static constexpr u64 kFewTrips = 4;
    /// Nor are those with few calls to come: saving this many numbers of the cursors is taken to
    /// cost as much as reading one call.
    static constexpr u64 kCursorsOfCall = 4;
    /// Iterations that are tried as a period before it is given up for a while.
    static constexpr u64 kLongestPeriod = 4;
    static constexpr u64 kLongestPause = 1024;

    struct Loop {
        u64 pause = 0;  ///< iterations that it is left alone
        u64 next_pause = 1;
        u32 end = 0;  ///< CallUnwinder::calls() where its last iteration ended
    };

    Turn look(const LoopTurn& turn);
    bool begin(const LoopTurn& turn);
    [[nodiscard]] bool is_worth_it(const LoopTurn& turn, u64 calls) const;
    void mark();

    CallUnwinder& calls_;
    CallUnwinder::Cycle cycle_;
    bool marked_ = false;
    u32 node_ = kNone;  ///< the loop
    bool outermost_ = false;
    u64 length_ = 0;  ///< iterations since the mark
    u64 patience_ = 1;
    std::vector<Loop> loops_;  ///< by node
};

}  // namespace tracefold
