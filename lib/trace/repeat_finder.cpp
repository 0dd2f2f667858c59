// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "trace/repeat_finder.hpp"

#include <algorithm>

namespace tracefold {

/// At the end of an iteration. Loops within a loop have lower numbers than itself: if one with a
/// higher number turns, that which is looked at is over.
RepeatFinder::Turn RepeatFinder::look(const LoopTurn& turn) {
    if (marked_ && turn.node > node_) give_up();
    if (!marked_) return begin(turn) ? Turn::marked : Turn::none;
    if (turn.node != node_) return Turn::none;
    ++length_;
    cycle_ = calls_.cycle();
    if (cycle_.times != 0) return Turn::again;
    if (length_ < patience_) return Turn::none;
    patience_ *= 2;
    if (patience_ > kLongestPeriod) {
        give_up();
        return Turn::none;
    }
    mark();
    return Turn::marked;
}

/// True if the loop is looked at from here on.
bool RepeatFinder::begin(const LoopTurn& turn) {
    if (turn.node >= loops_.size()) loops_.resize(turn.node + std::size_t{1});
    Loop& loop = loops_[turn.node];
    const u32 calls = calls_.calls() - loop.end;
    loop.end = calls_.calls();
    if (loop.pause != 0) --loop.pause;
    if (loop.pause != 0 || !is_worth_it(turn, calls)) return false;
    node_ = turn.node;
    outermost_ = turn.is_outermost;
    patience_ = 1;
    mark();
    return true;
}

/// `calls`: of an iteration, or more.
bool RepeatFinder::is_worth_it(const LoopTurn& turn, u64 calls) const {
    if (turn.left < kFewTrips) return false;
    const u64 enough = calls_.cursors() / kCursorsOfCall;
    return calls >= enough || turn.left >= enough || turn.left * calls >= enough;
}

void RepeatFinder::mark() {
    marked_ = true;
    length_ = 0;
    calls_.watch();
}

void RepeatFinder::accept() {
    marked_ = false;
    loops_[node_].pause = 0;
    loops_[node_].next_pause = 1;
}

void RepeatFinder::give_up() {
    marked_ = false;
    Loop& loop = loops_[node_];
    loop.pause = loop.next_pause;
    loop.next_pause = std::min(2 * loop.next_pause, kLongestPause);
}

}  // namespace tracefold
