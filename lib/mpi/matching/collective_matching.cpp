// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/matching/collective_matching.hpp"

#include "model/definition_names.hpp"

#include <algorithm>
#include <map>

namespace tracefold {

void UnplacedCollectives::find_candidates() {
    const std::size_t least = tables_.size() < 2 ? 1 : 2;
    for (const CommunicatorTable& table : tables_) {
        for (const u64 comm : table.own()) {
            const CommunicatorView& view = *table.find(comm);
            const bool is_first =
                !view.members.empty() && view.members.front() == table.world_rank();
            if (view.inter || view.self_like || view.members.size() < least || !is_first) continue;
            candidates_.push_back({comm, view.members});
        }
    }
    std::ranges::sort(candidates_, [](const Candidate& a, const Candidate& b) {
        if (a.members.size() != b.members.size()) return a.members.size() > b.members.size();
        return a.comm < b.comm;
    });
}

void UnplacedCollectives::arrive(const Call& call) {
    if (candidates_.empty()) find_candidates();
    if (queues_.empty()) queues_.resize(tables_.size());  // an empty deque has half a kilobyte
    queues_[call.rank].push_back(call);
    ++open_;
}

bool UnplacedCollectives::is_full(const Candidate& candidate) const {
    const auto& first = queues_[candidate.members.front()];
    if (first.empty()) return false;
    return std::ranges::all_of(candidate.members, [&](u64 rank) {
        return !queues_[rank].empty() &&
               queues_[rank].front().said.function == first.front().said.function;
    });
}

UnplacedCollectives::Call UnplacedCollectives::leave(u32 rank) {
    const Call call = queues_[rank].front();
    queues_[rank].pop_front();
    --open_;
    return call;
}

bool UnplacedCollectives::next(bool blocking, Instance& instance) {
    if (empty()) return false;
    for (const Candidate& candidate : candidates_) {
        if (!is_full(candidate)) continue;
        const Call& first = queues_[candidate.members.front()].front();
        if ((first.request == kNoRequest) != blocking) continue;
        instance.comm = candidate.comm;
        instance.calls.clear();
        for (const u64 rank : candidate.members) {
            instance.calls.push_back(leave(static_cast<u32>(rank)));
        }
        return true;
    }
    return false;
}

std::vector<UnplacedCollectives::Call> UnplacedCollectives::give_up() {
    std::map<MpiFunction, std::vector<u32>> waiting;
    for (u32 rank = 0; rank < queues_.size(); ++rank) {
        if (!queues_[rank].empty()) waiting[queues_[rank].front().said.function].push_back(rank);
    }
    const auto least = std::ranges::min_element(
        waiting, {}, [](const auto& entry) { return entry.second.size(); });
    std::vector<Call> calls;
    for (const u32 rank : least->second) calls.push_back(leave(rank));
    return calls;
}

namespace {

using Request = MatchingState::Request;
using Wait = MatchingState::Wait;

/// The caller's part of an explained collective.
CollectivePart part_of(const ExplainedCollective& all, u64 comm, u32 member) {
    const Contribution sizes = all.of_member(member);
    return {comm, all.kind, all.root, sizes.sent, sizes.received};
}

std::vector<u32> all_members(const CommunicatorView& comm) {
    const std::vector<u64> members = comm.all_members();
    return {members.begin(), members.end()};
}

}  // namespace

/// True if the caller has to wait for other members.
bool CollectiveMatching::join(CallPlace place, u64 key, const CollectivePart& part, u32& context,
                              u64& number, bool inferred) {
    const u32 walker = place.walker;
    const CommunicatorView* comm = state_.view(walker, part.comm);
    if (comm == nullptr || comm->member_count() < 2) return false;
    // A window outlives its communicator.
    const bool uses = is_communication(part.kind) && (key & kWindowContext) == 0;
    if (uses && state_.is_freed(walker, part.comm)) {
        state_.findings.add(FindingKind::freed_communicator,
                            [&] { return state_.call_text(walker); });
    }
    context = instances_.find(key, [comm] { return all_members(*comm); });
    if (instances_[context].first_side == 0) {
        instances_[context].first_side = static_cast<u32>(comm->members.size());
    }
    const u32 me = state_.walkers[walker].rank;
    number = instances_.arrive(context, {me, place, part.root, part.sent, part.received, inferred},
                               part);
    if (instances_.is_full(context, number)) finish(context, number);
    return true;
}

void CollectiveMatching::finish(u32 context, u64 number) {
    CollectiveInstances::Instance& instance = instances_.instance(context, number);
    const auto example = [&] {
        std::string words = state_.text(instance.present.front().place) + " and " +
                            state_.text(instance.present.back().place);
        return words + ": communicator " + std::to_string(instance.part.comm) + ", " +
               enumerator_name(instance.part.kind);
    };
    ++state_.counts.collectives;
    if (!instance.alike) {
        state_.findings.add(FindingKind::different_collective, example);
    } else if (instance.sent != instance.received) {
        state_.findings.add(FindingKind::unequal_volume, example);
    }
    if (state_.observer != nullptr)
        state_.observer->matched_collective(instances_[context], instance);
    std::vector<u32> blocked = std::move(instance.blocked);
    instances_.end(context, number);
    state_.wake(blocked);
}

bool CollectiveMatching::call(u32 walker, u64 key, const CollectivePart& part) {
    MatchingState::Progress& it = state_.progress[walker];
    if (!it.arrived) {
        it.arrived = true;
        if (!join(state_.here(walker), key, part, it.place, it.number)) return true;
    }
    return wait(walker, it.place, it.number);
}

void CollectiveMatching::post(u32 walker, const Action& action) {
    const CallPlace here = state_.here(walker);
    Request request{Request::Kind::unknown_collective, 0, 0, here};
    if (action.known) {
        const bool waits = join(here, action.part.comm, action.part, request.place, request.number);
        request.kind = waits ? Request::Kind::collective : Request::Kind::send;
    }
    state_.add_request(walker, action.request, request);
}

bool CollectiveMatching::wait(u32 walker, u32 context, u64 number) {
    if (instances_.is_over(context, number)) return true;
    instances_.instance(context, number).blocked.push_back(walker);
    state_.block(walker, Wait::collective, context, number);
    return false;
}

bool CollectiveMatching::unrecorded(u32 walker, const Action& action) {
    MatchingState::Progress& it = state_.progress[walker];
    if (it.placed) return true;
    if (!it.arrived) {
        it.arrived = true;
        const CallPlace here = state_.here(walker);
        unplaced_.arrive({state_.walkers[walker].rank,
                          here,
                          {it.call.function, action.fields[0]},
                          action.request});
        if (action.kind == Action::Kind::post_collective) {
            state_.add_request(walker, action.request, {Request::Kind::unplaced, 0, 0, here});
            return true;
        }
    }
    state_.block_on_rank(walker, Wait::placing, 0);
    return false;
}

bool CollectiveMatching::place_calls() {
    bool any = false;
    UnplacedCollectives::Instance instance;
    // Non-blocking calls come last: more members may still post them.
    for (const bool blocking : {true, false}) {
        while (unplaced_.next(blocking, instance)) {
            any = true;
            explain(instance);
        }
        if (any) break;
    }
    return any;
}

void CollectiveMatching::explain(const UnplacedCollectives::Instance& instance) {
    std::vector<UnrecordedCall> said;
    for (const UnplacedCollectives::Call& call : instance.calls) said.push_back(call.said);
    const ExplainedCollective all = explain_collective(said);
    for (u32 member = 0; member < instance.calls.size(); ++member) {
        const UnplacedCollectives::Call& call = instance.calls[member];
        Action action;
        action.part = part_of(all, instance.comm, member);
        action.has_size = all.has_size;
        action.has_root = all.has_root;
        note(call, action);
        u32 context = 0;
        u64 number = 0;
        const bool waits = join(call.place, action.part.comm, action.part, context, number, true);
        resolve(call, {waits ? Request::Kind::collective : Request::Kind::send, context, number,
                       call.place, true});
    }
}

/// Counts the inferences about a call.
void CollectiveMatching::note(const UnplacedCollectives::Call& call, const Action& action) {
    FindingList& findings = state_.findings;
    const auto example = [&] {
        return state_.text(call.place) + " (" + std::string(name_of(call.said.function)) + ")";
    };
    inferred_[call.place.walker].add(action);
    if (action.part.comm == kNone) return findings.add(FindingKind::lost_collective, example);
    if (action.part.kind == CollectiveKind::barrier) {
        return findings.add(FindingKind::unrecorded_barrier, example);
    }
    findings.add(FindingKind::unrecorded_collective, example);
    findings.add(action.has_size ? FindingKind::size_of_metric : FindingKind::unknown_size,
                 example);
    if (action.part.root == kNone) return;
    findings.add(action.has_root ? FindingKind::inferred_root : FindingKind::assumed_root, example);
}

/// Wakes the walkers that wait for the call's communicator.
void CollectiveMatching::resolve(const UnplacedCollectives::Call& call, const Request& request) {
    MatchingState::Rank& rank = state_.ranks[call.rank];
    if (call.request == kNoRequest) {
        state_.progress[call.place.walker].placed = true;
    } else {
        Request* const found = rank.requests.find(call.request);
        if (found != nullptr) *found = request;
    }
    state_.wake(rank.blocked);
}

void CollectiveMatching::give_up_unplaced() {
    for (const UnplacedCollectives::Call& call : unplaced_.give_up()) {
        note(call, {});
        state_.leave_out(call.place);
        resolve(call, {Request::Kind::left_out, 0, 0, call.place});
    }
}

std::vector<u32> CollectiveMatching::absent(u32 walker) {
    const MatchingState::Progress& it = state_.progress[walker];
    return instances_.absent(it.place, it.number);
}

void CollectiveMatching::give_up(u32 walker) {
    const MatchingState::Progress& it = state_.progress[walker];
    CollectiveInstances::Instance& instance = instances_.instance(it.place, it.number);
    state_.findings.add(FindingKind::absent_member, [&] {
        const std::vector<u32> missing = absent(walker);
        std::string words = state_.call_text(walker) + ": communicator " +
                            std::to_string(instance.part.comm) + ", without ";
        words += missing.size() == 1 ? "rank" : "ranks";
        for (const u32 rank : missing) words += " " + std::to_string(rank);
        return words;
    });
    for (const CollectiveInstances::Arrival& arrival : instance.present) {
        state_.leave_out(arrival.place);
    }
    std::vector<u32> blocked = std::move(instance.blocked);
    instances_.end(it.place, it.number);
    state_.wake(blocked);
}

std::string CollectiveMatching::wait_text(u32 walker) {
    const MatchingState::Progress& it = state_.progress[walker];
    std::string words = "ranks";
    for (const u32 rank : absent(walker)) words += " " + std::to_string(rank);
    const u64 comm = instances_.instance(it.place, it.number).part.comm;
    return words + " in communicator " + std::to_string(comm);
}

}  // namespace tracefold
