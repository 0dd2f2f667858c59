// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/thread_turns.hpp"

namespace tracefold {

namespace {

using Wait = MatchingState::Wait;

}  // namespace

bool ThreadTurns::read(u32 walker) {
    MatchingState::Progress& it = state_.progress[walker];
    if (it.has_read || it.at_end) return it.has_read;
    it.has_read = state_.walkers[walker].next(it.call);
    it.at_end = !it.has_read && !state_.walkers[walker].has_stopped();
    return it.has_read;
}

bool ThreadTurns::is_ordered(u32 walker) const {
    return state_.in_order_of_times && state_.rank_of(walker).threads > 1;
}

/// True if another thread of the rank still has to begin, or to end, a call before this one.
bool ThreadTurns::comes_before(u32 other, u32 walker) {
    MatchingState::Progress& theirs = state_.progress[other];
    const u64 begin = state_.progress[walker].call.begin;
    if (theirs.in_call) return theirs.call.end <= begin;
    return read(other) && theirs.call.begin < begin;
}

bool ThreadTurns::may_begin(u32 walker) {
    MatchingState::Progress& it = state_.progress[walker];
    if (!is_ordered(walker)) return true;
    if (it.given_up) return true;
    // The walkers of a rank follow one another.
    const u32 rank = state_.walkers[walker].rank;
    u32 other = walker;
    while (other > 0 && state_.walkers[other - 1].rank == rank) --other;
    for (; other < state_.walkers.size() && state_.walkers[other].rank == rank; ++other) {
        if (other == walker || !comes_before(other, walker)) continue;
        state_.block_on_rank(walker, Wait::thread, 0);
        return false;
    }
    return true;
}

void ThreadTurns::moved(u32 walker) {
    if (is_ordered(walker)) state_.wake(state_.rank_of(walker).blocked);
}

bool ThreadTurns::release() {
    u32 first = kNone;
    for (u32 walker = 0; walker < state_.progress.size(); ++walker) {
        const MatchingState::Progress& it = state_.progress[walker];
        if (it.wait != Wait::thread) continue;
        if (first == kNone || it.call.begin < state_.progress[first].call.begin) first = walker;
    }
    if (first == kNone) return false;
    state_.progress[first].wait = Wait::nothing;
    state_.progress[first].given_up = true;
    state_.ready.push_back(first);
    return true;
}

}  // namespace tracefold
