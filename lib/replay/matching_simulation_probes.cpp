// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/matching_simulation.hpp"

// What probes do in MatchingSimulation, and the receives of what they found.
namespace tracefold {

/// A probe that takes its message is what the message's send is for. One that leaves it only waits;
/// of several threads another one may have received it since.
bool MatchingSimulation::probe(u32 walker, const Action& action) {
    const State& state = states_[walker];
    Rank& rank = ranks_[walkers_[walker].rank];
    if (action.message != kNoMessage) {
        if (!receive(walker, action)) return false;
        const bool came = !state.arrived || channels_[state.place].sent > state.number;
        rank.taken[action.message] = came;
        if (!rank.blocked.empty()) wake(rank.blocked);
        return true;
    }
    u32 channel = 0;
    if (rank.threads > 1 || !find_channel(walker, action.envelope, false, channel)) return true;
    const Channels::Channel& it = channels_[channel];
    if (!wait_message(walker, channel, it.posted, here(walker))) return false;
    if (observer_ != nullptr && it.has_messages()) {
        observer_->probed(it.waiting.front().first, here(walker));
    }
    return true;
}

/// True for a probe, which its location is in now, that takes a message for nobody.
bool MatchingSimulation::is_unreceived(CallPlace probe) const {
    const State& state = states_[probe.walker];
    const std::span<const Action> actions = state.call.actions;
    if (!state.in_call || state.call.index != probe.index) return false;
    if (probe.action >= actions.size()) return false;
    return actions[probe.action].kind == Action::Kind::probe && !actions[probe.action].known;
}

/// A message that a probe took and no call receives: its sender is not to wait for that.
void MatchingSimulation::note_unreceived(const Channels::Match& match, const Channels::Key& key) {
    findings_.add(FindingKind::unreceived_message, [&] {
        return text(match.sender) + ": " + text(key) + ", " + std::to_string(match.sent) +
               " bytes, probed by " + text(match.receiver);
    });
    patches_[match.sender.walker].unreceived.push_back(match.sender.index);
}

/// Another thread may still probe it. If it never came, its receive is left out, too.
bool MatchingSimulation::receive_taken(u32 walker, const Action& action) {
    Rank& rank = ranks_[walkers_[walker].rank];
    const auto taken = rank.taken.find(action.message);
    if (taken == rank.taken.end() && !states_[walker].given_up) {
        rank.blocked.push_back(walker);
        block(walker, State::Wait::taken, 0, action.message);
        return false;
    }
    const bool lost = taken == rank.taken.end() || !taken->second;
    if (taken != rank.taken.end()) rank.taken.erase(taken);
    if (lost) leave_out(here(walker));
    if (action.kind == Action::Kind::post_receive) {
        add_request(walker, action.request,
                    {Pending::Kind::taken_receive, 0, 0, here(walker), false, lost});
    }
    return true;
}

/// A receive without a record takes, of the messages that have come and that nobody else receives,
/// the one that was sent first.
bool MatchingSimulation::receive_any(u32 walker) {
    const u32 me = walkers_[walker].rank;
    ReplayPatch& patch = patches_[walker];
    u32 best = kNone;
    bool hope = false;
    for (const u32 channel : ranks_[me].lonely) {
        const Channels::Channel& it = channels_[channel];
        if (it.surplus <= 0) continue;
        hope = true;
        if (!it.has_messages()) continue;
        if (best == kNone || it.waiting.front().time < channels_[best].waiting.front().time) {
            best = channel;
        }
    }
    if (best == kNone && hope && !states_[walker].given_up) {
        for (const u32 channel : ranks_[me].lonely) channels_[channel].blocked.push_back(walker);
        block(walker, State::Wait::any_message, 0, 0);
        return false;
    }
    const auto example = [&] { return call_text(walker); };
    states_[walker].given_up = false;
    if (best == kNone) {
        findings_.add(FindingKind::lost_receive, example);
        patch.receives.push_back({here(walker).index, kNoRequest, {}});
        return true;
    }
    const u64 bytes = channels_[best].waiting.front().bytes;
    Channels::Match match;
    --channels_[best].surplus;
    channels_.post(best, bytes, here(walker), match);
    met(match, channels_[best].key);
    findings_.add(FindingKind::inferred_receive, example);
    patch.receives.push_back({here(walker).index, kNoRequest, envelope_of(channels_[best], bytes)});
    if (observer_ != nullptr) observer_->completed(here(walker), here(walker));
    return true;
}

}  // namespace tracefold
