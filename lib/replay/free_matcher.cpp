// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/free_matcher.hpp"

#include <algorithm>

namespace tracefold {

FreeMatcher::FreeMatcher(const std::vector<CommunicatorHistory>& histories,
                         const CreationMatcher& creations)
    : histories_(histories), ranks_(histories.size()) {
    for (u32 rank = 0; rank < ranks_.size(); ++rank) list_alive(rank, creations);
}

void FreeMatcher::list_alive(u32 rank, const CreationMatcher& creations) {
    const CommunicatorHistory& history = histories_[rank];
    const CommunicatorTable& table = history.table();
    Rank& it = ranks_[rank];
    it.frees.assign(history.frees().size(), kNone);
    for (const u64 comm : table.own()) {
        if (history.is_made(comm) && !table.is_predefined(comm) && !history.is_freed(comm)) {
            it.alive.push_back(comm);
        }
    }
    const std::vector<CreationMatcher::Creation>& made = creations.creations(rank);
    for (u64 number = 0; number < made.size(); ++number) {
        if (made[number].parent != kNone) it.creations[made[number].parent] = number + 1;
        if (made[number].made == kNone) continue;
        it.creations[made[number].made] = number + 1;
        if (!history.is_freed(made[number].made)) it.alive.push_back(made[number].made);
    }
}

void FreeMatcher::match() {
    bool any = true;
    while (any || skip_call()) {
        any = false;
        for (u32 rank = 0; rank < ranks_.size(); ++rank) {
            while (has_frees(rank) && free_one(rank)) any = true;
        }
    }
}

/// Whether the next free of a rank comes after the creation and the last use of a communicator.
bool FreeMatcher::can_free(u32 rank, u64 comm) const {
    if (!has_frees(rank)) return false;
    const Rank& it = ranks_[rank];
    const auto created = it.creations.find(comm);
    const CommunicatorHistory::Call& call = histories_[rank].frees()[it.next];
    if (created != it.creations.end() && call.creations < created->second) return false;
    const CommunicatorHistory::Uses* uses = histories_[rank].uses(comm);
    return uses == nullptr || uses->last <= it.next;
}

bool FreeMatcher::can_all_free(u32 rank, u64 comm) const {
    const std::vector<u64> members = histories_[rank].table().find(comm)->all_members();
    return std::ranges::all_of(members, [&](u64 member) {
        const auto it = static_cast<u32>(member);
        return can_free(it, comm) && std::ranges::count(ranks_[it].alive, comm) != 0;
    });
}

bool FreeMatcher::free_one(u32 rank) {
    const std::vector<u64>& alive = ranks_[rank].alive;
    const auto found = std::ranges::find_if(
        alive, [&](u64 comm) { return can_free(rank, comm) && can_all_free(rank, comm); });
    if (found == alive.end()) return false;
    const u64 comm = *found;
    for (const u64 member : histories_[rank].table().find(comm)->all_members()) {
        Rank& it = ranks_[member];
        it.frees[it.next++] = comm;
        it.alive.erase(std::ranges::find(it.alive, comm));
    }
    return true;
}

/// Nobody can go on: a call that frees nothing that anybody knows of.
bool FreeMatcher::skip_call() {
    u32 chosen = kNone;
    for (u32 rank = 0; rank < ranks_.size(); ++rank) {
        if (!has_frees(rank)) continue;
        const bool has_none = std::ranges::none_of(ranks_[rank].alive,
                                                   [&](u64 comm) { return can_free(rank, comm); });
        if (has_none) {
            ++ranks_[rank].next;
            return true;
        }
        if (chosen == kNone) chosen = rank;
    }
    if (chosen == kNone) return false;
    ++ranks_[chosen].next;
    return true;
}

}  // namespace tracefold
