// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/matching/creation_matcher.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// True for the same processes in the same order.
bool is_copy(const CommunicatorView& made, const CommunicatorView* parent) {
    if (parent == nullptr) return made.self_like;
    return made.inter == parent->inter && std::ranges::equal(made.members, parent->members) &&
           std::ranges::equal(made.remote, parent->remote);
}

bool is_whole_cart(const CommunicatorView& made) {
    return made.cart != nullptr && !made.cart->is_part;
}

bool is_part_of_cart(const CommunicatorView& made) {
    return made.cart != nullptr && made.cart->is_part;
}

/// True if a function of family comm_create can make it from `parent` (null: unknown).
bool can_make(MpiFunction function, const CommunicatorView& made, const CommunicatorView* parent) {
    switch (function) {
        case MpiFunction::Comm_dup:
        case MpiFunction::Comm_dup_with_info:
        case MpiFunction::Comm_idup:
        case MpiFunction::Comm_idup_with_info:
            return is_copy(made, parent);
        case MpiFunction::Cart_create:
            return !made.inter && !is_part_of_cart(made);
        case MpiFunction::Cart_sub:
            return !made.inter && !is_whole_cart(made);
        case MpiFunction::Intercomm_create:
            return made.inter;
        case MpiFunction::Intercomm_merge:
            return !made.inter && made.cart == nullptr && (parent == nullptr || parent->inter);
        default:
            return !made.inter && made.cart == nullptr;
    }
}

}  // namespace

CreationMatcher::CreationMatcher(const std::vector<CommunicatorHistory>& histories)
    : histories_(histories), ranks_(histories.size()) {
    for (u32 rank = 0; rank < ranks_.size(); ++rank) {
        ranks_[rank].calls = history(rank).creations().size();
        ranks_[rank].comms = history(rank).unmade().size();
        ranks_[rank].creations.resize(ranks_[rank].calls);
    }
}

void CreationMatcher::match() {
    for (u32 rank = 0; rank < ranks_.size(); ++rank) reveal(rank);
    while (true) {
        if (!fresh_.empty()) {
            const Candidate it = fresh_.back();
            fresh_.pop_back();
            if (!candidates_.contains(it) || view(it).self_like) continue;
            const std::optional<Event> event = event_of(it);
            if (event && event->without == 0) take(*event);
            continue;
        }
        if (!take_best() && !drop_together() && !drop_calls() && !drop_communicator()) return;
    }
}

u64 CreationMatcher::last_comm(u32 rank) const {
    const std::size_t left = ranks_[rank].comms;
    return left == 0 ? kNone : history(rank).unmade()[left - 1];
}

/// MpiFunction::other if no call is left.
MpiFunction CreationMatcher::last_function(u32 rank) const {
    const std::size_t left = ranks_[rank].calls;
    return left == 0 ? MpiFunction::other : history(rank).creations()[left - 1].function;
}

/// The number of calls that cannot make a communicator.
std::size_t CreationMatcher::slack(u32 rank) const {
    const Rank& it = ranks_[rank];
    return it.calls > it.comms ? it.calls - it.comms : 0;
}

/// True if the last call precedes the first use of the last communicator, and can make it.
bool CreationMatcher::can_be_made(u32 rank) const {
    const u64 comm = last_comm(rank);
    if (comm == kNone || ranks_[rank].calls == 0) return false;
    const CommunicatorHistory::Uses* uses = history(rank).uses(comm);
    if (uses != nullptr && ranks_[rank].calls > uses->first) return false;
    const CommunicatorTable& table = history(rank).table();
    const CommunicatorView& view = *table.find(comm);
    return can_make(last_function(rank), view, table.find(view.parent));
}

/// World ranks of all participants of a call.
std::vector<u64> CreationMatcher::participants(MpiFunction function, Candidate it) const {
    const CommunicatorView& made = view(it);
    const CommunicatorView* parent = history(it.rank).table().find(made.parent);
    const bool alone = parent == nullptr || is_of_members_only(function);
    return (alone ? made : *parent).all_members();
}

std::optional<CreationMatcher::Event> CreationMatcher::event_of(Candidate it) {
    const MpiFunction function = last_function(it.rank);
    if (function == MpiFunction::other) return std::nullopt;
    Event event;
    const CommunicatorView& made = view(it);
    const bool knows_parent = history(it.rank).table().find(made.parent) != nullptr;
    event.parent = knows_parent && !is_of_members_only(function) ? made.parent : it.comm;
    can_join_.clear();
    for (const u64 rank : participants(function, it)) {
        const auto comm = part_of(static_cast<u32>(rank), it, function);
        if (!comm) return std::nullopt;
        event.parts.push_back({static_cast<u32>(rank), *comm});
        if (*comm == kNone) ++event.without;
    }
    return event;
}

/// The result of a rank's last call if that call made `it`; otherwise nullopt.
std::optional<u64> CreationMatcher::part_of(u32 rank, Candidate it, MpiFunction function) {
    if (last_function(rank) != function) return std::nullopt;
    const u64 comm = last_comm(rank);
    if (comm == it.comm) return can_be_made(rank) ? std::optional(comm) : std::nullopt;
    const CommunicatorTable& table = history(rank).table();
    if (table.find(it.comm) != nullptr && !view(it).self_like) return std::nullopt;
    if (comm != kNone && makes_several(function)) {
        const CommunicatorView& other = *table.find(comm);
        const bool beside = other.self_like || other.parent == view(it).parent;
        if (beside && can_join(comm, rank, function)) return comm;
    }
    if (can_make_none(function) && slack(rank) > 0) return kNone;
    return std::nullopt;
}

/// True if all members of another communicator can have obtained it in the current call.
bool CreationMatcher::can_join(u64 comm, u32 rank, MpiFunction function) {
    const CommunicatorView& other = view({comm, rank});
    if (other.self_like) return can_be_made(rank);
    const auto [known, fresh] = can_join_.try_emplace(comm, false);
    if (!fresh) return known->second;
    known->second = candidates_.contains({comm, other.first_member()}) &&
                    std::ranges::all_of(other.members, [&](u64 member) {
                        const auto it = static_cast<u32>(member);
                        return last_function(it) == function && can_be_made(it);
                    });
    return known->second;
}

/// Checks whether the rank's last remaining communicator is now a candidate.
void CreationMatcher::reveal(u32 rank) {
    const u64 comm = last_comm(rank);
    if (comm == kNone) return;
    const CommunicatorView& it = view({comm, rank});
    Candidate candidate{comm, rank};
    if (!it.self_like) {
        if (++on_top_[comm] < it.member_count()) return;
        candidate.rank = it.first_member();
    }
    candidates_.insert(candidate);
    fresh_.push_back(candidate);
}

void CreationMatcher::forget_top(u32 rank) {
    const u64 comm = last_comm(rank);
    const CommunicatorView& it = view({comm, rank});
    if (!it.self_like) --on_top_[comm];
    candidates_.erase({comm, it.self_like ? rank : it.first_member()});
    --ranks_[rank].comms;
    reveal(rank);
}

void CreationMatcher::take(const Event& event) {
    for (const Part& part : event.parts) {
        Rank& rank = ranks_[part.rank];
        rank.creations[--rank.calls] = {true, part.made, event.parent};
    }
    for (const Part& part : event.parts) {
        if (part.made != kNone) forget_top(part.rank);
    }
    // Communicators that the removed calls could not make may be candidates now.
    for (const Part& part : event.parts) {
        const u64 comm = last_comm(part.rank);
        if (comm == kNone) continue;
        const CommunicatorView& it = view({comm, part.rank});
        const u32 member = it.self_like ? part.rank : it.first_member();
        if (candidates_.contains({comm, member})) fresh_.push_back({comm, member});
    }
}

/// Takes the call that leaves the fewest members without a communicator; single-process
/// communicators come last, since they may belong to calls of other ranks.
bool CreationMatcher::take_best() {
    std::optional<Event> best;
    std::optional<Candidate> single;
    for (auto it = candidates_.rbegin(); it != candidates_.rend(); ++it) {
        if (view(*it).self_like) {
            if (!single && can_be_made(it->rank)) single = *it;
            continue;
        }
        std::optional<Event> event = event_of(*it);
        if (event && (!best || event->without < best->without)) best = std::move(event);
    }
    if (!best && single) best = event_of(*single);
    if (!best) return false;
    take(*best);
    return true;
}

/// True if the last calls of all ranks that could have made a communicator have none to make.
bool CreationMatcher::can_drop_together(Candidate it) const {
    const MpiFunction function = last_function(it.rank);
    if (function == MpiFunction::other || can_be_made(it.rank)) return false;
    return std::ranges::all_of(participants(function, it), [&](u64 rank) {
        const auto one = static_cast<u32>(rank);
        return last_function(one) == function && slack(one) > 0;
    });
}

/// Drops a call after the first use of the next communicator to be made: all participants got none.
bool CreationMatcher::drop_together() {
    for (auto it = candidates_.rbegin(); it != candidates_.rend(); ++it) {
        if (view(*it).self_like || !can_drop_together(*it)) continue;
        for (const u64 rank : participants(last_function(it->rank), *it)) {
            drop_call(static_cast<u32>(rank));
        }
        return true;
    }
    return false;
}

/// Drops calls that made no known communicator: those after the first use of the next communicator
/// to be made, otherwise the last call of the rank with the most spare calls.
bool CreationMatcher::drop_calls() {
    if (candidates_.empty()) return false;
    bool any = false;
    u32 spare = 0;
    for (u32 rank = 0; rank < ranks_.size(); ++rank) {
        if (slack(rank) > slack(spare)) spare = rank;
        if (slack(rank) == 0 || last_comm(rank) == kNone || can_be_made(rank)) continue;
        drop_call(rank);
        any = true;
    }
    if (any || slack(spare) == 0) return any;
    drop_call(spare);
    return true;
}

/// Drops a communicator that no call made, or only a contradictory one.
bool CreationMatcher::drop_communicator() {
    if (!candidates_.empty()) {
        const Candidate last = *candidates_.rbegin();
        const CommunicatorView& it = view(last);
        if (it.self_like) {
            forget_top(last.rank);
            return true;
        }
        for (const u64 member : it.all_members()) forget_top(static_cast<u32>(member));
        return true;
    }
    // Members disagree on the order.
    for (u32 rank = 0; rank < ranks_.size(); ++rank) {
        if (last_comm(rank) == kNone) continue;
        forget_top(rank);
        return true;
    }
    return false;
}

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

/// True if the next free of a rank follows the creation and the last use of a communicator.
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

/// Resolves a stall: skips a call that frees no known communicator.
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
