// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/matching_simulation.hpp"

// What MatchingSimulation does with collective calls without a record.
namespace tracefold {

namespace {

/// The caller's part of what all members together know.
CollectivePart part_of(const ExplainedCollective& all, u64 comm, u32 member) {
    const Contribution sizes = all.of_member(member);
    return {comm, all.kind, all.root, sizes.sent, sizes.received};
}

}  // namespace

/// A call waits here until it is known on which communicator it takes place; one that does not
/// block goes on, and is waited for by its completion.
bool MatchingSimulation::unrecorded(u32 walker, const Action& action) {
    State& state = states_[walker];
    if (state.resolved) return true;
    Rank& rank = ranks_[walkers_[walker].rank];
    if (!state.arrived) {
        state.arrived = true;
        unrecorded_.arrive({walkers_[walker].rank,
                            here(walker),
                            {state.call.function, action.fields[0]},
                            action.request});
        if (action.kind == Action::Kind::post_collective) {
            add_request(walker, action.request, {Pending::Kind::unresolved, 0, 0, here(walker)});
            return true;
        }
    }
    rank.blocked.push_back(walker);
    block(walker, State::Wait::naming, 0, 0);
    return false;
}

/// Lets calls that belong together meet; false if there are none.
bool MatchingSimulation::name_collectives() {
    bool any = false;
    UnplacedCollectives::Instance instance;
    // More members may still post those that do not block.
    for (const bool blocking : {true, false}) {
        while (unrecorded_.next(blocking, instance)) {
            any = true;
            explain(instance);
        }
        if (any) break;
    }
    return any;
}

void MatchingSimulation::explain(const UnplacedCollectives::Instance& instance) {
    std::vector<UnrecordedCall> said;
    for (const UnplacedCollectives::Call& call : instance.calls) said.push_back(call.said);
    const ExplainedCollective all = explain_collective(said);
    for (u32 member = 0; member < instance.calls.size(); ++member) {
        const UnplacedCollectives::Call& call = instance.calls[member];
        Action action;
        action.part = part_of(all, instance.comm, member);
        action.has_size = all.has_size;
        action.has_root = all.has_root;
        note_unrecorded(call, action);
        u32 context = 0;
        u64 number = 0;
        const bool waits = meet(call.place, action.part.comm, action.part, context, number);
        resolve(call, {waits ? Pending::Kind::collective : Pending::Kind::send, context, number,
                       call.place, true});
    }
}

/// Counts what was inferred about a call.
void MatchingSimulation::note_unrecorded(const UnplacedCollectives::Call& call,
                                         const Action& action) {
    const auto example = [&] {
        return text(call.place) + " (" + std::string(name_of(call.said.function)) + ")";
    };
    collectives_inferred_[call.place.walker].add(action);
    if (action.part.comm == kNone) {
        findings_.add(FindingKind::lost_collective, example);
        return;
    }
    if (action.part.kind == CollectiveKind::barrier) {
        findings_.add(FindingKind::unrecorded_barrier, example);
        return;
    }
    findings_.add(FindingKind::unrecorded_collective, example);
    findings_.add(action.has_size ? FindingKind::size_of_metric : FindingKind::unknown_size,
                  example);
    if (action.part.root == kNone) return;
    findings_.add(action.has_root ? FindingKind::inferred_root : FindingKind::assumed_root,
                  example);
}

/// Whoever waits to know about the call goes on.
void MatchingSimulation::resolve(const UnplacedCollectives::Call& call, const Pending& pending) {
    Rank& rank = ranks_[call.rank];
    if (call.request == kNoRequest) {
        states_[call.place.walker].resolved = true;
    } else {
        const auto found = rank.requests.find(call.request);
        if (found != rank.requests.end()) found->second = pending;
    }
    wake(rank.blocked);
}

/// No communicator's members all make these calls: they are left out, and so are their completions.
void MatchingSimulation::give_up_unrecorded() {
    for (const UnplacedCollectives::Call& call : unrecorded_.give_up()) {
        note_unrecorded(call, {});
        leave_out(call.place);
        resolve(call, {Pending::Kind::left_out, 0, 0, call.place});
    }
}

/// If somebody waits for another member than that of a collective without a record, those who may
/// hold it up because they are taken to wait for one.
std::vector<u32> MatchingSimulation::guessed_waits() const {
    std::vector<u32> guesses;
    bool others = false;
    for (u32 walker = 0; walker < states_.size(); ++walker) {
        const State::Wait wait = states_[walker].wait;
        others = others || (wait != State::Wait::nothing && wait != State::Wait::naming);
        if (waits_by_guess(walker)) guesses.push_back(walker);
    }
    return others ? guesses : std::vector<u32>();
}

/// True if a call waits for a collective without a record, of which nobody knows whether it is the
/// one that the program waited for.
bool MatchingSimulation::waits_by_guess(u32 walker) const {
    const State& state = states_[walker];
    if (state.wait != State::Wait::naming) return false;
    return state.call.actions[state.action].kind == Action::Kind::complete_collective;
}

}  // namespace tracefold
