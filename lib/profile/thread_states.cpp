// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/thread_states.hpp"

namespace tracefold {

ThreadStates::ThreadStates(TraceFile& file, u32 location, bool first, CallTree& tree,
                           TraceThreads& threads)
    : walk_(file, location, location, Times::read, tree, threads),
      clock_(file, location),
      regions_(threads.regions),
      tree_(tree),
      outside_(first ? ThreadUse::work : ThreadUse::idle),
      now_{false, outside_, kNone} {}

bool ThreadStates::next() {
    if (!walk_.next()) {
        now_ = {false, outside_, kNone};
        return false;
    }
    time_ = clock_.common(walk_.head().time);
    note(static_cast<EventType>(walk_.head().type));
    now_ = state();
    return true;
}

void ThreadStates::note(EventType type) {
    switch (type) {
        case EventType::ThreadFork:
            managing_ = true;
            break;
        case EventType::ThreadTeamBegin:
            managing_ = true;
            ++teams_;
            break;
        case EventType::ThreadBegin:
            ++teams_;
            break;
        case EventType::ThreadTeamEnd:
            managing_ = true;
            [[fallthrough]];
        case EventType::ThreadEnd:
            teams_ -= teams_ == 0 ? 0 : 1;
            break;
        case EventType::ThreadJoin:
            managing_ = false;
            break;
        default:
            if (walk_.step() == PathWalk::Step::entered) managing_ = false;
    }
}

ThreadStates::State ThreadStates::state() const {
    const u32 node = walk_.here();
    if (walk_.in_mpi_call()) return {true, ThreadUse::work, node};
    if (teams_ == 0 && node == kNone) return {false, outside_, node};
    if (managing_) return {false, ThreadUse::management, node};
    // Not in the region that another thread is in.
    const bool in_region =
        node != kNone && !walk_.is_attached() && tree_[node].kind == CallTree::Kind::region;
    return {false, in_region ? regions_.use(tree_[node].ref) : ThreadUse::work, node};
}

}  // namespace tracefold
