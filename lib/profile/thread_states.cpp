// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/thread_states.hpp"

namespace tracefold {

ThreadStates::ThreadStates(TraceFile& file, u32 location, bool first, const ClockMap& clock,
                           CallTree& tree, TraceThreads& threads)
    : walk_(file, location, location, Times::read, tree, threads),
      clock_(clock),
      definitions_(file.definitions()),
      regions_(threads.regions),
      tree_(tree),
      unrecorded_(first ? ThreadUse::work : ThreadUse::idle),
      outside_(unrecorded_),
      has_mpi_(definitions_.world_size() != 0),
      now_{false, unrecorded_, kNone} {
    // No team tells when it works.
    if (!has_mpi_ && !is_worker(file, location)) outside_ = ThreadUse::work;
}

bool ThreadStates::next() {
    if (!walk_.next()) {
        now_ = {false, unrecorded_, kNone};
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

ThreadStates::State ThreadStates::state() {
    const u32 node = walk_.here();
    if (walk_.in_mpi_call()) return {true, ThreadUse::work, node};
    if (!has_mpi_ && node != kNone && !walk_.is_attached() && communicates(node)) {
        const bool in_region = tree_[node].kind == CallTree::Kind::region;
        return {true, in_region ? regions_.use(tree_[node].ref) : ThreadUse::work, node};
    }
    if (teams_ == 0 && node == kNone) return {false, outside_, node};
    if (managing_) return {false, ThreadUse::management, node};
    // Not in the region that another thread is in.
    if (node == kNone || walk_.is_attached()) return {false, ThreadUse::work, node};
    switch (device_use(node)) {
        case AcceleratorUse::wait:
            return {false, ThreadUse::device_wait, node};
        case AcceleratorUse::copy:
            return {false, ThreadUse::device_copy, node};
        case AcceleratorUse::call:
            return {false, ThreadUse::device_call, node};
        default:
            break;
    }
    const bool in_region = tree_[node].kind == CallTree::Kind::region;
    return {false, in_region ? regions_.use(tree_[node].ref) : ThreadUse::work, node};
}

/// That of the outermost region of an accelerator which leads to the node.
AcceleratorUse ThreadStates::device_use(u32 node) {
    if (node >= device_uses_.size()) device_uses_.resize(tree_.size());
    if (device_uses_[node]) return *device_uses_[node];
    const CallTree::Node& it = tree_[node];
    AcceleratorUse use = it.parent == kNone ? AcceleratorUse::none : device_use(it.parent);
    if (use == AcceleratorUse::none && it.kind == CallTree::Kind::region) {
        use = definitions_.accelerator_use(it.ref, false);
    }
    device_uses_[node] = use;
    return use;
}

/// True if the node, or one that leads to it, is a function that communicates.
bool ThreadStates::communicates(u32 node) {
    if (node >= communicates_.size()) communicates_.resize(tree_.size());
    if (communicates_[node]) return *communicates_[node];
    const CallTree::Node& it = tree_[node];
    const bool is_one =
        (it.kind == CallTree::Kind::region && definitions_.is_other_communication(it.ref)) ||
        (it.parent != kNone && communicates(it.parent));
    communicates_[node] = is_one;
    return is_one;
}

}  // namespace tracefold
