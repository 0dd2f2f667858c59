// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/matching_simulation.hpp"

#include <algorithm>

// What MatchingSimulation does when nobody can go on and at the end, and how it tells about it.
namespace tracefold {

namespace {

/// In rising order, each once.
template <class Entry>
void sort_once(std::vector<Entry>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

/// Those whose partners have ended go on alone. If there are none, a receive without a record that
/// is one too many was of no message at all. Otherwise they wait for each other.
void MatchingSimulation::resolve_stall() {
    if (name_collectives()) return;
    std::vector<u32> chosen;
    u32 first = kNone;
    u32 extra = kNone;
    for (u32 walker = 0; walker < states_.size(); ++walker) {
        if (states_[walker].wait == State::Wait::nothing) continue;
        if (first == kNone) first = walker;
        const bool any = states_[walker].wait == State::Wait::any_message;
        if (extra == kNone && any && ranks_[walkers_[walker].rank].bare > 0) extra = walker;
        if (is_hopeless(walker)) chosen.push_back(walker);
    }
    if (chosen.empty() && extra != kNone) {
        --ranks_[walkers_[extra].rank].bare;
        chosen.push_back(extra);
    }
    if (chosen.empty()) chosen = guessed_waits();
    if (chosen.empty() && !unrecorded_.empty()) return give_up_unrecorded();
    if (chosen.empty()) {
        if (!stalled_) report_deadlock();
        stalled_ = true;
        chosen.push_back(first);
    }
    for (const u32 walker : chosen) {
        if (states_[walker].wait != State::Wait::nothing) give_up(walker);
    }
}

bool MatchingSimulation::is_hopeless(u32 walker) {
    const State& state = states_[walker];
    const u32 me = walkers_[walker].rank;
    const auto ended = [this](u32 rank) { return ranks_[rank].walkers == 0; };
    const auto cannot_send = [&](const Channels::Channel& channel) {
        const u32 source = channel.key.source;
        return ended(source) || (source == me && ranks_[me].walkers == 1);
    };
    switch (state.wait) {
        case State::Wait::message:
            return cannot_send(channels_[state.place]);
        case State::Wait::collective: {
            const std::vector<u32> absent = instances_.absent(state.place, state.number);
            return std::any_of(absent.begin(), absent.end(), ended);
        }
        case State::Wait::any_message:
            return std::all_of(ranks_[me].lonely.begin(), ranks_[me].lonely.end(),
                               [&](u32 channel) { return cannot_send(channels_[channel]); });
        case State::Wait::request:
        case State::Wait::taken:
            return ranks_[me].walkers == 1;
        case State::Wait::naming:
        case State::Wait::nothing:
            break;
    }
    return false;
}

void MatchingSimulation::give_up(u32 walker) {
    State& state = states_[walker];
    if (state.wait == State::Wait::collective) {
        give_up_collective(walker);
        return;
    }
    state.wait = State::Wait::nothing;
    state.given_up = true;
    ready_.push_back(walker);
}

void MatchingSimulation::give_up_collective(u32 walker) {
    const State& state = states_[walker];
    CollectiveInstances::Instance& instance = instances_.instance(state.place, state.number);
    findings_.add(FindingKind::absent_member, [&] {
        std::string words = call_text(walker) + ": communicator " +
                            std::to_string(instance.part.comm) + ", without ";
        words += instances_.absent(state.place, state.number).size() == 1 ? "rank" : "ranks";
        for (const u32 rank : instances_.absent(state.place, state.number)) {
            words += " " + std::to_string(rank);
        }
        return words;
    });
    for (const CollectiveInstances::Arrival& arrival : instance.present) leave_out(arrival.place);
    std::vector<u32> blocked = std::move(instance.blocked);
    instances_.end(state.place, state.number);
    wake(blocked);
}

void MatchingSimulation::report_deadlock() {
    for (u32 walker = 0; walker < states_.size(); ++walker) {
        if (states_[walker].wait == State::Wait::nothing) continue;
        findings_.add(FindingKind::deadlock,
                      [&] { return call_text(walker) + " waits for " + waits_text(walker); });
    }
}

/// Communicators in use that no call of the rank makes.
std::vector<u64> MatchingSimulation::unmade(u32 rank) const {
    std::vector<u64> found;
    for (const u64 comm : ranks_[rank].used) {
        const bool predefined = comm == tables_[rank].world() || comm == tables_[rank].self();
        if (!predefined && !ranks_[rank].made.contains(comm)) found.push_back(comm);
    }
    std::sort(found.begin(), found.end());
    return found;
}

bool MatchingSimulation::misses_communicators() const {
    for (u32 rank = 0; rank < ranks_.size(); ++rank) {
        if (!unmade(rank).empty()) return true;
    }
    return false;
}

void MatchingSimulation::report_communicators() {
    for (u32 rank = 0; rank < ranks_.size(); ++rank) {
        for (const u64 comm : unmade(rank)) {
            findings_.add(FindingKind::unknown_communicator, [&] {
                return "rank " + std::to_string(rank) + ": communicator " + std::to_string(comm) +
                       ", which no call makes";
            });
        }
    }
    for (std::size_t walker = 0; walker < walkers_.size(); ++walker) {
        for (const u64 comm : patches_[walker].early_communicators) {
            findings_.add(FindingKind::early_communicator, [&] {
                return "rank " + std::to_string(walkers_[walker].rank) + ": communicator " +
                       std::to_string(comm);
            });
        }
    }
}

/// What was posted and never completed.
void MatchingSimulation::report_rank(u32 rank) {
    std::vector<Pending> left;
    for (const auto& [id, pending] : ranks_[rank].requests) left.push_back(pending);
    std::sort(left.begin(), left.end(), [](const Pending& a, const Pending& b) {
        return a.call.walker != b.call.walker ? a.call.walker < b.call.walker
                                              : a.call.index < b.call.index;
    });
    for (const Pending& pending : left) {
        const auto example = [&] { return text(pending.call); };
        switch (pending.kind) {
            case Pending::Kind::unknown_receive:
            case Pending::Kind::receive:
            case Pending::Kind::taken_receive:
                findings_.add(FindingKind::pending_receive, example);
                break;
            case Pending::Kind::send:
                findings_.add(FindingKind::pending_send, example);
                break;
            case Pending::Kind::collective:
                // Nobody knows what waited for those without a record.
                if (pending.is_unrecorded) break;
                [[fallthrough]];
            case Pending::Kind::unknown_collective:
                findings_.add(FindingKind::pending_collective, example);
                break;
            default:
                break;
        }
    }
    pair_pending(rank, left);
}

/// Receives of unknown arguments that never completed may have received what nobody else did.
void MatchingSimulation::pair_pending(u32 rank, const std::vector<Pending>& left) {
    // In a part of the program they may be outside.
    if (cut_) return;
    std::vector<CallPlace> receives;
    for (const Pending& pending : left) {
        if (pending.kind == Pending::Kind::unknown_receive) receives.push_back(pending.call);
    }
    if (receives.empty()) return;
    std::size_t next = 0;
    for (u32 number = 0; number < channels_.all().size(); ++number) {
        const Channels::Channel& channel = channels_[number];
        if (channel.key.destination != rank) continue;
        while (next < receives.size() && channel.has_messages()) {
            const CallPlace place = receives[next++];
            const Channels::Run run = channel.waiting.front();
            Channels::Match match;
            channels_.post(number, run.bytes, place, match);
            findings_.add(FindingKind::unreceived_message, [&] { return text(channel, run); });
            patches_[place.walker].receives.push_back(
                {place.index, kNoRequest, envelope_of(channel, run.bytes)});
        }
    }
}

void MatchingSimulation::report_messages() {
    for (const Channels::Channel& channel : channels_.all()) {
        if (!channel.has_messages()) continue;
        for (const Channels::Run& run : channel.waiting) {
            findings_.add(
                FindingKind::unreceived_message, [&] { return text(channel, run); }, run.count);
            for (u64 i = 0; i < run.count; ++i) {
                const u64 index = run.first.index + i * run.stride;
                patches_[run.first.walker].unreceived.push_back(index);
                if (cut_) cut_->unreceived({run.first.walker, index, run.first.action});
            }
        }
    }
}

std::string MatchingSimulation::text(const Channels::Channel& channel,
                                     const Channels::Run& run) const {
    return text(run.first) + ": " + text(channel.key) + ", " + std::to_string(run.bytes) + " bytes";
}

/// A message as its receiver names it.
Envelope MatchingSimulation::envelope_of(const Channels::Channel& channel, u64 bytes) {
    const CommunicatorView& comm = *tables_[channel.key.destination].find(channel.key.comm);
    const std::span<const u64> peers = comm.peers();
    const auto peer = std::find(peers.begin(), peers.end(), u64{channel.key.source});
    return {channel.key.comm, static_cast<u32>(peer - peers.begin()), channel.key.tag, bytes};
}

CheckResult MatchingSimulation::report() {
    if (cut_) cut_->finish(patches_);
    for (const Channels::Channel& channel : channels_.all()) {
        if (observer_ != nullptr) observer_->channel(channel.key);
    }
    CheckResult result;
    result.ranks = static_cast<u32>(ranks_.size());
    result.locations = walkers_.size();
    result.calls = calls_;
    result.messages = messages_;
    result.bytes = bytes_;
    result.collectives = collectives_;
    result.threads = std::any_of(ranks_.begin(), ranks_.end(),
                                 [](const Rank& rank) { return rank.threads > 1; });
    result.unsupported = std::move(unsupported_);
    result.findings = findings_.found();
    std::size_t walker = 0;
    for (ReplayPatch& patch : patches_) {
        patch.collectives = collectives_inferred_[walker++].pack();
        if (patch.empty()) continue;
        std::sort(patch.receives.begin(), patch.receives.end(),
                  [](const auto& a, const auto& b) { return a.index < b.index; });
        sort_once(patch.left_out);
        sort_once(patch.early);
        sort_once(patch.unposted);
        sort_once(patch.unreceived);
        result.patches.push_back(std::move(patch));
    }
    return result;
}

std::string MatchingSimulation::text(CallPlace place) const {
    const Walker& walker = walkers_[place.walker];
    std::string words = "rank " + std::to_string(walker.rank);
    if (ranks_[walker.rank].threads > 1) words += " location " + std::to_string(walker.location);
    return words + " call " + std::to_string(place.index);
}

std::string MatchingSimulation::name_of_call(const MpiCall& mpi_call) const {
    if (mpi_call.function != MpiFunction::other) return std::string(name_of(mpi_call.function));
    return mpi_call.region == kNone ? "MPI" : definitions_.region_name(mpi_call.region);
}

std::string MatchingSimulation::call_text(u32 walker) const {
    return text(here(walker)) + " (" + name_of_call(states_[walker].call) + ")";
}

std::string MatchingSimulation::text(const Channels::Key& key) const {
    return "from rank " + std::to_string(key.source) + " to rank " +
           std::to_string(key.destination) + ", tag " + std::to_string(key.tag) +
           ", communicator " + std::to_string(key.comm);
}

std::string MatchingSimulation::waits_text(u32 walker) {
    const State& state = states_[walker];
    if (state.wait == State::Wait::message) {
        return "a message " + text(channels_[state.place].key);
    }
    if (state.wait == State::Wait::any_message) return "any message";
    if (state.wait == State::Wait::naming) return "the members of its communicator";
    if (state.wait == State::Wait::request) {
        return "another thread to post request " + std::to_string(state.number);
    }
    if (state.wait == State::Wait::taken) {
        return "another thread to probe message " + std::to_string(state.number);
    }
    std::string words = "ranks";
    for (const u32 rank : instances_.absent(state.place, state.number)) {
        words += " " + std::to_string(rank);
    }
    const u64 comm = instances_.instance(state.place, state.number).part.comm;
    return words + " in communicator " + std::to_string(comm);
}

}  // namespace tracefold
