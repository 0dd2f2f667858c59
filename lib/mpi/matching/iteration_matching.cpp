// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/matching/iteration_matching.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

/// Failed attempts before a pause.
constexpr u64 kMostFailures = 64;
constexpr u64 kLongestPause = u64{1} << 20U;

}  // namespace

bool IterationMatching::resolve() {
    if (stopped_.empty()) return false;
    const bool looked = std::exchange(looks_, false);
    const bool follows = looked && (state_.observer == nullptr || state_.observer->end_iteration());
    const bool can_begin = is_together() && is_at_rest();
    if (can_begin && follows && comes_again()) {
        leave_out();
    } else if (can_begin && !looked) {
        look();
    } else if (begin_as_asked()) {
        fail();
    } else {
        go_on(1);
    }
    return true;
}

void IterationMatching::fail() {
    if (failures_++ % kMostFailures != 0) return let_last_go_on();
    begin_where_all_are();
    if (failures_ > 1) pause_ = std::min(2 * pause_, kLongestPause);
    go_on(pause_);
}

/// The walkers with the most remaining iterations are behind the others.
void IterationMatching::let_last_go_on() {
    const auto left = [this](u32 walker) {
        return state_.walkers[walker].iterations->coming().count;
    };
    u64 most = 0;
    u64 next = 0;
    for (const u32 walker : stopped_) most = std::max(most, left(walker));
    for (const u32 walker : stopped_) {
        if (left(walker) != most) next = std::max(next, left(walker));
    }
    const auto last = std::partition(stopped_.begin(), stopped_.end(),
                                     [&](u32 walker) { return left(walker) != most; });
    std::vector<u32> others(stopped_.begin(), last);
    stopped_.erase(stopped_.begin(), last);
    go_on(next == 0 ? 1 : most - next);
    stopped_ = std::move(others);
}

/// True if all walkers that have not ended have stopped.
bool IterationMatching::is_together() const {
    std::size_t walkers = 0;
    for (const MatchingState::Rank& rank : state_.ranks) walkers += rank.walkers;
    return stopped_.size() == walkers;
}

/// Loops of different ranks may begin at different places. In a stall, walkers wait for stopped
/// ones. If they stop before their waiting call, and the others where they are, none blocks
/// another.
void IterationMatching::begin_where_all_are() {
    for (const u32 walker : stopped_) {
        const u64 last = state_.progress[walker].call.index;
        begins_[walker] = state_.walkers[walker].iterations->begin_at(last + 1);
    }
    for (u32 walker = 0; walker < state_.walkers.size(); ++walker) {
        const MatchingState::Progress& it = state_.progress[walker];
        IterationSource* const source = state_.walkers[walker].iterations;
        if (source == nullptr || !it.in_call || it.wait == MatchingState::Wait::nothing) continue;
        begins_[walker] = source->begin_at(it.call.index);
    }
}

/// True if all walkers have reached the requested begin of their iterations.
bool IterationMatching::begin_as_asked() {
    begins_.resize(state_.walkers.size(), 0);
    for (u32 walker = 0; walker < begins_.size(); ++walker) {
        const MatchingState::Progress& it = state_.progress[walker];
        if (!it.at_end && it.call.index + 1 < begins_[walker]) return false;
    }
    return true;
}

/// No walker is in a call, so none waits for a message either.
bool IterationMatching::is_at_rest() const {
    const auto is_free = [](const MatchingState::Rank& rank) {
        return rank.requests.empty() && rank.taken.empty() && rank.blocked.empty();
    };
    return std::ranges::all_of(state_.ranks, is_free) && messages_.outstanding() == 0 &&
           collectives_.is_at_rest();
}

IterationMatching::Found IterationMatching::found() const {
    Found found{state_.findings, state_.counts, 0, {}, {}};
    for (const ReplayPatch& patch : state_.patches) found.patches += patch.size();
    for (const auto& it : state_.progress) found.calls.push_back(it.call.index);
    found.of_iterations.resize(state_.walkers.size(), 0);
    for (const u32 walker : stopped_) {
        found.of_iterations[walker] = state_.walkers[walker].iterations->coming().calls;
    }
    return found;
}

void IterationMatching::look() {
    looks_ = true;
    before_ = found();
    if (state_.observer != nullptr) state_.observer->begin_iteration(before_.of_iterations);
    go_on(1);
}

bool IterationMatching::comes_again() const {
    const Found now = found();
    // A walker that reached the end of its loop has stopped in another one.
    for (std::size_t walker = 0; walker < now.calls.size(); ++walker) {
        if (now.calls[walker] - before_.calls[walker] != before_.of_iterations[walker])
            return false;
    }
    return now.of_iterations == before_.of_iterations && now.patches == before_.patches &&
           now.findings.can_repeat(before_.findings);
}

void IterationMatching::leave_out() {
    failures_ = 0;
    pause_ = 1;
    u64 times = ~u64{0};
    for (const u32 walker : stopped_) {
        times = std::min(times, state_.walkers[walker].iterations->coming().count);
    }
    state_.counts.add(before_.counts, times);
    state_.findings.add(before_.findings, times);
    std::vector<IterationSource*> sources(state_.walkers.size(), nullptr);
    for (const u32 walker : stopped_) {
        sources[walker] = state_.walkers[walker].iterations;
        sources[walker]->leave_out(times);
        state_.progress[walker].call.index += times * before_.of_iterations[walker];
    }
    if (state_.observer != nullptr) state_.observer->repeat(sources, times);
    state_.ready.insert(state_.ready.end(), stopped_.begin(), stopped_.end());
    stopped_.clear();
}

void IterationMatching::go_on(u64 iterations) {
    for (const u32 walker : std::exchange(stopped_, {})) {
        state_.walkers[walker].iterations->read(iterations);
        state_.ready.push_back(walker);
    }
}

}  // namespace tracefold
