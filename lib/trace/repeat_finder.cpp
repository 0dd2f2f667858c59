// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "trace/repeat_finder.hpp"

#include <algorithm>

namespace tracefold {

RepeatFinder::Turn RepeatFinder::at_turn() {
    const LoopTurn turn = calls_.turn();
    if (turn.node == kNone) return Turn::none;
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
    if (turn.node >= pauses_.size()) pauses_.resize(turn.node + std::size_t{1});
    Pause& pause = pauses_[turn.node];
    if (pause.left != 0) --pause.left;
    if (pause.left != 0 || turn.left < kFewTrips) return false;
    node_ = turn.node;
    patience_ = 1;
    mark();
    return true;
}

void RepeatFinder::mark() {
    marked_ = true;
    length_ = 0;
    calls_.watch();
}

void RepeatFinder::accept() {
    marked_ = false;
    pauses_[node_] = {};
}

void RepeatFinder::give_up() {
    marked_ = false;
    Pause& pause = pauses_[node_];
    pause.left = pause.next;
    pause.next = std::min(2 * pause.next, kLongestPause);
}

}  // namespace tracefold
