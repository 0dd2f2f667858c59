// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/epoch_matching.hpp"

namespace tracefold {

namespace {

using Wait = MatchingState::Wait;

bool ends_access(MpiFunction function) { return function == MpiFunction::Win_complete; }

/// MPI_Win_test synchronises only when it succeeds.
bool ends_exposure(MpiFunction function, const Action& action) {
    if (function == MpiFunction::Win_test) return action.fields[0] != 0;
    return function == MpiFunction::Win_wait;
}

}  // namespace

u64 epoch_partners(const DefinitionIndex& definitions, const MpiCall& call, const Action& action) {
    const bool is_met = call.function == MpiFunction::Win_post || ends_access(call.function);
    if (!is_met || action.type != EventType::RmaGroupSync) return 0;
    const GroupDefinition* const group = definitions.group(action.fields[2]);
    if (group == nullptr) return 0;
    return group->type == kGroupCommSelf ? 1 : group->members.size();
}

std::vector<u32> EpochMatching::group(u32 walker, u64 group) const {
    const GroupDefinition* const found = state_.definitions.group(group);
    if (found == nullptr) return {};
    if (found->type == kGroupCommSelf) return {state_.walkers[walker].rank};
    std::vector<u32> ranks;
    for (const u64 member : found->members) {
        if (member < state_.ranks.size()) ranks.push_back(static_cast<u32>(member));
    }
    return ranks;
}

EpochMatching::Pair& EpochMatching::pair(Key key, bool access, u32 partner) {
    (access ? key.target : key.origin) = partner;
    return pairs_[key];
}

bool EpochMatching::take(u32 walker, const Action& action) {
    MatchingState::Progress& it = state_.progress[walker];
    const MpiFunction function = it.call.function;
    const bool posts = function == MpiFunction::Win_post;
    const bool completes = ends_access(function);
    if (!posts && !completes && !ends_exposure(function, action)) return true;
    const std::vector<u32> partners = group(walker, action.fields[2]);
    const u32 me = state_.walkers[walker].rank;
    const Key key{action.fields[1], me, me};
    if (!it.arrived && (posts || completes)) come(walker, key, completes, partners);
    it.arrived = true;
    return posts || meet(walker, key, completes, partners);
}

/// Wakes the partners.
void EpochMatching::come(u32 walker, Key key, bool access, const std::vector<u32>& partners) {
    for (const u32 partner : partners) {
        Pair& ends = pair(key, access, partner);
        (access ? ends.completes : ends.posts).push_back(state_.here(walker));
        state_.wake(ends.blocked);
    }
}

bool EpochMatching::meet(u32 walker, Key key, bool access, const std::vector<u32>& partners) {
    const Ends needed = access ? &Pair::posts : &Pair::completes;
    const bool gives_up = state_.progress[walker].given_up;
    for (const u32 partner : partners) {
        Pair& ends = pair(key, access, partner);
        if (!(ends.*needed).empty() || gives_up) continue;
        ends.blocked.push_back(walker);
        state_.block(walker, Wait::epoch, partner, key.window);
        return false;
    }
    for (const u32 partner : partners) {
        std::deque<CallPlace>& found = pair(key, access, partner).*needed;
        if (found.empty()) {
            state_.findings.add(FindingKind::deadlock, [&] { return state_.call_text(walker); });
            continue;
        }
        if (state_.observer != nullptr) {
            state_.observer->synchronised(state_.here(walker), found.front());
        }
        found.pop_front();
    }
    return true;
}

}  // namespace tracefold
