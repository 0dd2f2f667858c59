// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/stall_resolution.hpp"

#include <algorithm>

namespace tracefold {

namespace {

using Wait = MatchingState::Wait;

}  // namespace

void StallResolution::resolve() {
    if (collectives_.place_calls()) return;
    std::vector<u32> chosen = choose();
    if (chosen.empty()) chosen = guessed_waits();
    if (chosen.empty() && collectives_.has_unplaced()) return collectives_.give_up_unplaced();
    if (chosen.empty()) {
        if (!reported_) report_deadlock();
        reported_ = true;
        const auto first = std::ranges::find_if(
            state_.progress, [](const auto& it) { return it.wait != Wait::nothing; });
        chosen.push_back(static_cast<u32>(first - state_.progress.begin()));
    }
    for (const u32 walker : chosen) {
        if (state_.progress[walker].wait != Wait::nothing) give_up(walker);
    }
}

/// All whose partners have ended, or else one with a receive too many.
std::vector<u32> StallResolution::choose() {
    std::vector<u32> chosen;
    u32 spare = kNone;
    for (u32 walker = 0; walker < state_.progress.size(); ++walker) {
        if (spare == kNone && is_spare(walker)) spare = walker;
        if (is_hopeless(walker)) chosen.push_back(walker);
    }
    if (chosen.empty() && spare != kNone) {
        --messages_.spare_receives(state_.walkers[spare].rank);
        chosen.push_back(spare);
    }
    return chosen;
}

bool StallResolution::is_spare(u32 walker) {
    return state_.progress[walker].wait == Wait::any_message &&
           messages_.spare_receives(state_.walkers[walker].rank) > 0;
}

bool StallResolution::is_hopeless(u32 walker) {
    switch (state_.progress[walker].wait) {
        case Wait::message:
        case Wait::any_message:
            return messages_.is_hopeless(walker);
        case Wait::collective:
            return std::ranges::any_of(collectives_.absent(walker), [this](u32 rank) {
                return state_.ranks[rank].walkers == 0;
            });
        case Wait::request:
        case Wait::taken:
            return state_.rank_of(walker).walkers == 1;
        case Wait::epoch:
            return state_.ranks[state_.progress[walker].place].walkers == 0;
        case Wait::thread:
        case Wait::placing:
        case Wait::nothing:
            break;
    }
    return false;
}

void StallResolution::give_up(u32 walker) {
    MatchingState::Progress& it = state_.progress[walker];
    if (it.wait == Wait::collective) return collectives_.give_up(walker);
    it.wait = Wait::nothing;
    it.given_up = true;
    state_.ready.push_back(walker);
}

/// If somebody waits for another member than that of a collective without a record, those who may
/// hold it up because they are taken to wait for one.
std::vector<u32> StallResolution::guessed_waits() const {
    std::vector<u32> guesses;
    bool others = false;
    for (u32 walker = 0; walker < state_.progress.size(); ++walker) {
        const Wait wait = state_.progress[walker].wait;
        others = others || (wait != Wait::nothing && wait != Wait::placing);
        if (waits_by_guess(walker)) guesses.push_back(walker);
    }
    return others ? guesses : std::vector<u32>();
}

/// True if a call waits for a collective without a record, of which nobody knows whether it is the
/// one that the program waited for.
bool StallResolution::waits_by_guess(u32 walker) const {
    const MatchingState::Progress& it = state_.progress[walker];
    if (it.wait != Wait::placing) return false;
    return it.call.actions[it.action].kind == Action::Kind::complete_collective;
}

void StallResolution::report_deadlock() {
    for (u32 walker = 0; walker < state_.progress.size(); ++walker) {
        if (state_.progress[walker].wait == Wait::nothing) continue;
        state_.findings.add(FindingKind::deadlock, [&] {
            return state_.call_text(walker) + " waits for " + wait_text(walker);
        });
    }
}

std::string StallResolution::wait_text(u32 walker) {
    const MatchingState::Progress& it = state_.progress[walker];
    switch (it.wait) {
        case Wait::message:
            return "a message " + channel_text(messages_.key(it.place));
        case Wait::any_message:
            return "any message";
        case Wait::placing:
            return "the members of its communicator";
        case Wait::request:
            return "another thread to post request " + std::to_string(it.number);
        case Wait::epoch:
            return "an epoch of rank " + std::to_string(it.place) + " on window " +
                   std::to_string(it.number);
        case Wait::taken:
            return "another thread to probe message " + std::to_string(it.number);
        default:
            return collectives_.wait_text(walker);
    }
}

}  // namespace tracefold
