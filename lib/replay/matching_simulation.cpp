// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/matching_simulation.hpp"

#include "replay/treatment.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// Calls of a location before the next one has its turn.
constexpr u64 kTurn = 256;
/// Who has sent so much more than received waits until nobody else can go on.
constexpr i64 kFarAhead = 4096;

bool is_bare(const MpiCall& call) { return call.actions.empty(); }

}  // namespace

MatchingSimulation::MatchingSimulation(const DefinitionIndex& definitions,
                                       const std::vector<CommunicatorTable>& tables)
    : ranks_(tables.size()), definitions_(definitions), tables_(tables), unrecorded_(tables) {}

void MatchingSimulation::count_surplus(std::vector<Walker> walkers) {
    walkers_ = std::move(walkers);
    states_.assign(walkers_.size(), {});
    has_surplus_ = true;
    for (u32 walker = 0; walker < walkers_.size(); ++walker) {
        MpiCall& call = states_[walker].call;
        while (walkers_[walker].next(call)) {
            const bool bare = is_bare(call);
            if (bare && call.family == CallFamily::matched_receive) {
                ++ranks_[walkers_[walker].rank].bare;
            }
            for (const Action& action : call.actions) {
                const bool sends = action.kind == Action::Kind::send;
                const bool receives = action.is_matched_here();
                u32 channel = 0;
                if ((!sends && !receives) ||
                    !find_channel(walker, action.envelope, sends, channel)) {
                    continue;
                }
                channels_[channel].surplus += sends ? 1 : -1;
            }
        }
    }
    for (u32 channel = 0; channel < channels_.all().size(); ++channel) {
        const Channels::Channel& it = channels_[channel];
        if (it.surplus <= 0) continue;
        ranks_[it.key.destination].lonely.push_back(channel);
        ranks_[it.key.destination].bare -= it.surplus;
    }
    findings_ = {};
}

void MatchingSimulation::begin_with(std::vector<ReplayPatch> communicators, FileTable files) {
    files_ = std::move(files);
    for (ReplayPatch& known : communicators) {
        const u32 location = known.location;
        known_.emplace(location, std::move(known));
    }
}

void MatchingSimulation::cut(std::vector<LocationWindow> windows) {
    cut_.emplace(std::move(windows), [this](u32 walker, u64 handle) -> const CommunicatorView* {
        const FileHandleDefinition* file = files_.find(handle);
        if (file == nullptr) return nullptr;
        return tables_[walkers_[walker].rank].find(file->comm);
    });
    observer_ = &*cut_;
}

void MatchingSimulation::walk(std::vector<Walker> walkers) {
    walkers_ = std::move(walkers);
    states_.assign(walkers_.size(), {});
    patches_.resize(walkers_.size());
    collectives_inferred_.resize(walkers_.size());
    for (u32 walker = 0; walker < walkers_.size(); ++walker) {
        ++ranks_[walkers_[walker].rank].walkers;
        ++ranks_[walkers_[walker].rank].threads;
        const auto known = known_.find(walkers_[walker].location);
        if (known != known_.end()) patches_[walker] = std::move(known->second);
        patches_[walker].location = walkers_[walker].location;
        for (const u64 comm : patches_[walker].early_communicators) {
            ranks_[walkers_[walker].rank].made.insert(comm);
        }
        ready_.push_back(walker);
    }
    while (true) {
        std::deque<u32>& queue = ready_.empty() ? ahead_ : ready_;
        if (!queue.empty()) {
            const u32 walker = queue.front();
            queue.pop_front();
            run(walker);
            continue;
        }
        const bool all_ended = std::all_of(ranks_.begin(), ranks_.end(),
                                           [](const Rank& rank) { return rank.walkers == 0; });
        if (all_ended) break;
        resolve_stall();
    }
    while (!unrecorded_.empty()) {
        if (!name_collectives()) give_up_unrecorded();
    }
    for (u32 rank = 0; rank < ranks_.size(); ++rank) report_rank(rank);
    report_messages();
    report_communicators();
}

/// Lets a location have its turn.
void MatchingSimulation::run(u32 walker) {
    // Where the order of arrival matters, nobody runs ahead.
    const u64 turn = has_surplus_ ? 1 : kTurn;
    for (u64 i = 0; i < turn; ++i) {
        if (!step(walker)) return;
    }
    (states_[walker].ahead > kFarAhead ? ahead_ : ready_).push_back(walker);
}

/// Walks one call, or the rest of one. False if the location has to wait or has ended.
bool MatchingSimulation::step(u32 walker) {
    State& state = states_[walker];
    if (!state.in_call && !next_call(walker)) return false;
    if (state.call.family == CallFamily::matched_receive && is_bare(state.call)) {
        if (!receive_any(walker)) return false;
    }
    for (; state.action < state.call.actions.size(); ++state.action) {
        if (!take(walker, state.call.actions[state.action])) return false;
        state.arrived = false;
        state.given_up = false;
        state.resolved = false;
    }
    state.in_call = false;
    if (observer_ != nullptr) observer_->ended(walker, state.call);
    return true;
}

bool MatchingSimulation::next_call(u32 walker) {
    State& state = states_[walker];
    if (!walkers_[walker].next(state.call)) {
        end(walker);
        return false;
    }
    state.action = 0;
    state.in_call = true;
    state.arrived = false;
    state.given_up = false;
    ++calls_;
    begin_call(walker);
    if (observer_ != nullptr) observer_->began(walker, state.call);
    return true;
}

/// Counts calls that are known to be a matter of their own before their records are looked at.
void MatchingSimulation::begin_call(u32 walker) {
    const MpiCall& call = states_[walker].call;
    const auto example = [&] { return call_text(walker); };
    const bool is_unsupported = treatment_of(call) == Treatment::unsupported;
    switch (call.family) {
        case CallFamily::neighbour:
            if (is_unsupported) findings_.add(FindingKind::neighbour, example);
            break;
        case CallFamily::comm_create:
        case CallFamily::comm_free:
            note_comm_call(walker);
            break;
        case CallFamily::finalize:
            ranks_[walkers_[walker].rank].finalized = true;
            break;
        default:
            if (!is_unsupported) break;
            ++unsupported_[name_of_call(call)];
            findings_.add(FindingKind::unsupported, example);
            break;
    }
}

/// Counts calls that make or free communicators without a record.
void MatchingSimulation::note_comm_call(u32 walker) {
    const MpiCall& call = states_[walker].call;
    const CommunicatorTable& table = tables_[walkers_[walker].rank];
    const bool creates = call.family == CallFamily::comm_create;
    const auto example = [&] { return call_text(walker); };
    if (call.treatment == MpiCall::Treatment::inferred) {
        findings_.add(creates ? FindingKind::inferred_communicator : FindingKind::inferred_free,
                      example);
    } else if (!is_bare(call)) {
        return;
    } else if (!creates) {
        findings_.add(FindingKind::unrecorded_free, example);
    } else if (call.function == MpiFunction::Intercomm_create && !has_intercommunicators(table)) {
        findings_.add(FindingKind::undefined_intercommunicator, example);
        misses_intercommunicators_ = true;
    } else {
        findings_.add(FindingKind::unrecorded_creation, example);
    }
}

bool MatchingSimulation::take(u32 walker, const Action& action) {
    switch (action.kind) {
        case Action::Kind::send:
            send(walker, action);
            return true;
        case Action::Kind::probe:
            return probe(walker, action);
        case Action::Kind::receive:
            return action.message == kNoMessage ? receive(walker, action)
                                                : receive_taken(walker, action);
        case Action::Kind::post_receive:
            if (action.message != kNoMessage) return receive_taken(walker, action);
            post_receive(walker, action);
            return true;
        case Action::Kind::collective:
            if (action.unrecorded) return unrecorded(walker, action);
            return collective(walker, action.part.comm, action.part);
        case Action::Kind::post_collective:
            if (action.unrecorded) return unrecorded(walker, action);
            post_collective(walker, action);
            return true;
        case Action::Kind::complete_send:
        case Action::Kind::complete_receive:
        case Action::Kind::complete_collective:
            return complete(walker, action);
        case Action::Kind::cancelled:
            cancel(walker, action);
            return true;
        case Action::Kind::create_comm:
            ranks_[walkers_[walker].rank].freed.erase(action.part.comm);
            ranks_[walkers_[walker].rank].made.insert(action.part.comm);
            if (cut_ && states_[walker].call.family == CallFamily::comm_create) {
                cut_->created(action.part.comm, here(walker));
            }
            return true;
        case Action::Kind::destroy_comm:
            ranks_[walkers_[walker].rank].freed.insert(action.part.comm);
            return true;
        case Action::Kind::record:
            return record(walker, action);
        case Action::Kind::tested:
            return true;
    }
    return true;
}

void MatchingSimulation::end(u32 walker) {
    Rank& rank = ranks_[walkers_[walker].rank];
    if (--rank.walkers != 0 || rank.finalized) return;
    findings_.add(FindingKind::unfinished,
                  [&] { return "rank " + std::to_string(walkers_[walker].rank); });
}

bool MatchingSimulation::wait_message(u32 walker, u32 channel, u64 number, CallPlace receiver) {
    if (channels_[channel].sent > number) return true;
    if (states_[walker].given_up) {
        findings_.add(FindingKind::unsent_message,
                      [&] { return text(receiver) + ": " + text(channels_[channel].key); });
        leave_out(receiver);
        // What completes it as well.
        leave_out(here(walker));
        return true;
    }
    channels_[channel].blocked.push_back(walker);
    block(walker, State::Wait::message, channel, number);
    return false;
}

bool MatchingSimulation::wait_collective(u32 walker, u32 context, u64 number) {
    if (instances_.is_over(context, number)) return true;
    instances_.instance(context, number).blocked.push_back(walker);
    block(walker, State::Wait::collective, context, number);
    return false;
}

void MatchingSimulation::block(u32 walker, State::Wait wait, u32 place, u64 number) {
    states_[walker].wait = wait;
    states_[walker].place = place;
    states_[walker].number = number;
}

/// Those who wait look again.
void MatchingSimulation::wake(std::vector<u32>& blocked) {
    for (const u32 walker : blocked) {
        if (states_[walker].wait == State::Wait::nothing) continue;
        states_[walker].wait = State::Wait::nothing;
        ready_.push_back(walker);
    }
    blocked.clear();
}

}  // namespace tracefold
