// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/matching/message_matching.hpp"

#include "base/types.hpp"

#include <algorithm>

namespace tracefold {

namespace {

using Request = MatchingState::Request;
using Wait = MatchingState::Wait;

}  // namespace

void MessageMatching::count_surplus() {
    has_surplus_ = true;
    for (u32 walker = 0; walker < state_.walkers.size(); ++walker) {
        MpiCall& call = state_.progress[walker].call;
        while (state_.walkers[walker].next(call)) {
            if (call.family == CallFamily::matched_receive && call.actions.empty()) {
                ++surplus_[state_.walkers[walker].rank].receives;
            }
            for (const Action& action : call.actions) {
                const bool sends = action.kind == Action::Kind::send;
                u32 channel = 0;
                if (!sends && !action.is_matched_here()) continue;
                if (!find_channel(walker, action.envelope, sends, channel)) continue;
                channels_[channel].surplus += sends ? 1 : -1;
            }
        }
    }
    for (u32 channel = 0; channel < channels_.all().size(); ++channel) {
        const Channels::Channel& it = channels_[channel];
        if (it.surplus <= 0) continue;
        surplus_[it.key.destination].channels.push_back(channel);
        surplus_[it.key.destination].receives -= it.surplus;
    }
    state_.findings = {};
}

bool MessageMatching::find_channel(u32 walker, const Envelope& envelope, bool sends, u32& channel) {
    const u32 me = state_.walkers[walker].rank;
    const CommunicatorView* comm = state_.view(walker, envelope.comm);
    if (comm == nullptr) return false;
    const std::span<const u64> peers = comm->peers();
    if (envelope.peer >= peers.size()) {
        state_.findings.add(FindingKind::unknown_communicator, [&] {
            return state_.call_text(walker) + ": rank " + std::to_string(envelope.peer) +
                   " of communicator " + std::to_string(envelope.comm);
        });
        return false;
    }
    const u32 peer = static_cast<u32>(peers[envelope.peer]);
    channel =
        channels_.find({envelope.comm, sends ? me : peer, sends ? peer : me, envelope.tag}, sends);
    if (!state_.is_freed(walker, envelope.comm)) return true;
    state_.findings.add(FindingKind::freed_communicator, [&] { return state_.call_text(walker); });
    return true;
}

void MessageMatching::matched(const Channels::Match& match, const Channels::Key& key) {
    ++state_.counts.messages;
    add_saturated(state_.counts.bytes, match.sent);
    if (state_.observer != nullptr) state_.observer->matched(match.sender, match.receiver);
    if (is_unreceived(match.receiver)) return note_unreceived(match, key);
    if (match.sent == match.received) return;
    // Receives without a defined size report lengths around 2^64.
    const bool of_sender = state_.sizes_of_senders || match.received >= kBeyondMemory;
    if (of_sender) {
        const CallPlace& place = match.receiver;
        state_.patches[place.walker].sizes.push_back({place.index, place.action, match.sent});
    }
    const FindingKind kind = of_sender ? FindingKind::sender_size : FindingKind::different_bytes;
    state_.findings.add(kind, [&] {
        return state_.text(match.receiver) + ": " + channel_text(key) + ", sent by " +
               state_.text(match.sender) + " as " + std::to_string(match.sent) +
               " bytes, received as " + std::to_string(match.received);
    });
}

void MessageMatching::send(u32 walker, const Action& action) {
    u32 channel = 0;
    if (!find_channel(walker, action.envelope, true, channel)) return;
    Channels::Channel& it = channels_[channel];
    Channels::Match match;
    const CallPlace here = state_.here(walker);
    ++state_.progress[walker].ahead;
    const bool merge = it.surplus <= 0;
    if (channels_.send(channel, action.envelope.bytes, here, action.time, merge, match)) {
        matched(match, it.key);
    }
    if (!it.blocked.empty()) state_.wake(it.blocked);
    if (action.request == kNoRequest) return;
    state_.add_request(walker, action.request, {Request::Kind::send, channel, it.sent - 1, here});
}

/// Posts a receive; returns its number in its channel.
u64 MessageMatching::post(u32 walker, u32 channel, u64 bytes) {
    const u64 number = channels_[channel].posted;
    Channels::Match match;
    --state_.progress[walker].ahead;
    if (channels_.post(channel, bytes, state_.here(walker), match)) {
        matched(match, channels_[channel].key);
    }
    if (state_.sends_wait) state_.wake(channels_[channel].blocked);
    return number;
}

bool MessageMatching::receive(u32 walker, const Action& action) {
    MatchingState::Progress& it = state_.progress[walker];
    if (!it.arrived) {
        u32 channel = 0;
        if (!find_channel(walker, action.envelope, false, channel)) return true;
        it.arrived = true;
        it.place = channel;
        it.number = post(walker, channel, action.envelope.bytes);
    }
    const CallPlace here = state_.here(walker);
    if (!wait(walker, it.place, it.number, here)) return false;
    if (state_.observer != nullptr) state_.observer->completed(here, here);
    return true;
}

void MessageMatching::post_receive(u32 walker, const Action& action) {
    Request request{Request::Kind::unknown_receive, 0, 0, state_.here(walker)};
    if (action.known && find_channel(walker, action.envelope, false, request.place)) {
        request.kind = Request::Kind::receive;
        request.number = post(walker, request.place, action.envelope.bytes);
    }
    state_.add_request(walker, action.request, request);
}

bool MessageMatching::wait(u32 walker, u32 channel, u64 number, CallPlace receiver) {
    if (channels_[channel].sent > number) return true;
    if (state_.progress[walker].given_up) {
        state_.findings.add(FindingKind::unsent_message, [&] {
            return state_.text(receiver) + ": " + channel_text(channels_[channel].key);
        });
        state_.leave_out(receiver);
        // Its completion is left out, too.
        state_.leave_out(state_.here(walker));
        return true;
    }
    channels_[channel].blocked.push_back(walker);
    state_.block(walker, Wait::message, channel, number);
    return false;
}

bool MessageMatching::wait_for_receipt(u32 walker, u32 channel, u64 number) {
    if (channels_[channel].posted > number || state_.progress[walker].given_up) return true;
    channels_[channel].blocked.push_back(walker);
    state_.block(walker, Wait::receipt, channel, number);
    return false;
}

/// A probe that takes its message matches the message's send. A probe that leaves it only waits;
/// another thread may have received the message since.
bool MessageMatching::probe(u32 walker, const Action& action) {
    const MatchingState::Progress& it = state_.progress[walker];
    MatchingState::Rank& rank = state_.rank_of(walker);
    if (action.message != kNoMessage) {
        if (!receive(walker, action)) return false;
        rank.taken[action.message] = !it.arrived || channels_[it.place].sent > it.number;
        if (!rank.blocked.empty()) state_.wake(rank.blocked);
        return true;
    }
    u32 number = 0;
    if (rank.threads > 1 || !find_channel(walker, action.envelope, false, number)) return true;
    const Channels::Channel& channel = channels_[number];
    const CallPlace here = state_.here(walker);
    if (!wait(walker, number, channel.posted, here)) return false;
    if (state_.observer != nullptr && channel.has_messages()) {
        state_.observer->probed(channel.waiting.front().first, here);
    }
    return true;
}

/// True for a current probe that takes a message without a receive.
bool MessageMatching::is_unreceived(CallPlace probe) const {
    const MatchingState::Progress& it = state_.progress[probe.walker];
    const std::span<const Action> actions = it.call.actions;
    if (!it.in_call || it.call.index != probe.index) return false;
    if (probe.action >= actions.size()) return false;
    return actions[probe.action].kind == Action::Kind::probe && !actions[probe.action].known;
}

/// A message that a probe took and no call receives: its sender must not wait for a receive.
void MessageMatching::note_unreceived(const Channels::Match& match, const Channels::Key& key) {
    state_.findings.add(FindingKind::unreceived_message, [&] {
        return state_.text(match.sender) + ": " + channel_text(key) + ", " +
               std::to_string(match.sent) + " bytes, probed by " + state_.text(match.receiver);
    });
    state_.patches[match.sender.walker].unreceived.push_back(match.sender.index);
}

/// Another thread may still probe the message. If it was never sent, its receive is left out.
bool MessageMatching::receive_taken(u32 walker, const Action& action) {
    MatchingState::Rank& rank = state_.rank_of(walker);
    const auto taken = rank.taken.find(action.message);
    if (taken == rank.taken.end() && !state_.progress[walker].given_up) {
        state_.block_on_rank(walker, Wait::taken, action.message);
        return false;
    }
    const CallPlace here = state_.here(walker);
    const bool lost = taken == rank.taken.end() || !taken->second;
    if (taken != rank.taken.end()) rank.taken.erase(taken);
    if (lost) state_.leave_out(here);
    if (action.kind == Action::Kind::post_receive) {
        state_.add_request(walker, action.request,
                           {Request::Kind::taken_receive, 0, 0, here, false, lost});
    }
    return true;
}

/// The channel to the rank with the oldest surplus message, or kNone. `hope`: one may still arrive.
u32 MessageMatching::oldest_surplus(u32 rank, bool& hope) {
    u32 best = kNone;
    for (const u32 channel : surplus_[rank].channels) {
        const Channels::Channel& it = channels_[channel];
        if (it.surplus <= 0) continue;
        hope = true;
        if (!it.has_messages()) continue;
        if (best == kNone || it.waiting.front().time < channels_[best].waiting.front().time) {
            best = channel;
        }
    }
    return best;
}

bool MessageMatching::receive_any(u32 walker) {
    const u32 me = state_.walkers[walker].rank;
    MatchingState::Progress& it = state_.progress[walker];
    bool hope = false;
    const u32 best = oldest_surplus(me, hope);
    if (best == kNone && hope && !it.given_up) {
        for (const u32 channel : surplus_[me].channels) {
            channels_[channel].blocked.push_back(walker);
        }
        state_.block(walker, Wait::any_message, 0, 0);
        return false;
    }
    const CallPlace here = state_.here(walker);
    const auto example = [&] { return state_.call_text(walker); };
    it.given_up = false;
    if (best == kNone) {
        state_.findings.add(FindingKind::lost_receive, example);
        state_.patches[walker].receives.push_back({here.index, kNoRequest, {}});
        return true;
    }
    const u64 bytes = channels_[best].waiting.front().bytes;
    Channels::Match match;
    --channels_[best].surplus;
    channels_.post(best, bytes, here, match);
    matched(match, channels_[best].key);
    state_.findings.add(FindingKind::inferred_receive, example);
    state_.patches[walker].receives.push_back(
        {here.index, kNoRequest, envelope_of(channels_[best], bytes)});
    if (state_.observer != nullptr) state_.observer->completed(here, here);
    return true;
}

/// A message from its receiver's view.
Envelope MessageMatching::envelope_of(const Channels::Channel& channel, u64 bytes) const {
    const CommunicatorView& comm = *state_.tables[channel.key.destination].find(channel.key.comm);
    const std::span<const u64> peers = comm.peers();
    const auto peer = std::find(peers.begin(), peers.end(), u64{channel.key.source});
    return {channel.key.comm, static_cast<u32>(peer - peers.begin()), channel.key.tag, bytes};
}

void MessageMatching::pair_pending(u32 rank, const std::vector<CallPlace>& receives) {
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
            state_.findings.add(FindingKind::unreceived_message,
                                [&] { return text(channel, run); });
            state_.patches[place.walker].receives.push_back(
                {place.index, kNoRequest, envelope_of(channel, run.bytes)});
        }
    }
}

void MessageMatching::report_unreceived(const std::function<void(CallPlace)>& tell) {
    for (const Channels::Channel& channel : channels_.all()) {
        if (!channel.has_messages()) continue;
        for (const Channels::Run& run : channel.waiting) {
            state_.findings.add(
                FindingKind::unreceived_message, [&] { return text(channel, run); }, run.count);
            for (u64 i = 0; i < run.count; ++i) {
                const u64 index = run.first.index + i * run.stride;
                state_.patches[run.first.walker].unreceived.push_back(index);
                tell({run.first.walker, index, run.first.action});
            }
        }
    }
}

std::string MessageMatching::text(const Channels::Channel& channel,
                                  const Channels::Run& run) const {
    return state_.text(run.first) + ": " + channel_text(channel.key) + ", " +
           std::to_string(run.bytes) + " bytes";
}

bool MessageMatching::cannot_come(u32 channel, u32 receiver) {
    const u32 source = channels_[channel].key.source;
    const std::vector<MatchingState::Rank>& ranks = state_.ranks;
    return ranks[source].walkers == 0 || (source == receiver && ranks[receiver].walkers == 1);
}

bool MessageMatching::is_hopeless(u32 walker) {
    const MatchingState::Progress& it = state_.progress[walker];
    const u32 me = state_.walkers[walker].rank;
    if (it.wait == Wait::message) return cannot_come(it.place, me);
    if (it.wait == Wait::receipt) {
        const u32 destination = channels_[it.place].key.destination;
        return state_.ranks[destination].walkers == (destination == me ? 1 : 0);
    }
    return std::ranges::all_of(surplus_[me].channels,
                               [&](u32 channel) { return cannot_come(channel, me); });
}

}  // namespace tracefold
