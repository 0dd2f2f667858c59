// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "steps/quiescent_cuts.hpp"

#include <span>

namespace tracefold {

QuiescentCuts::QuiescentCuts(const RestPlaces& rests, const Counterparts& counterparts,
                             u32 reference, Direction direction)
    : rests_(rests),
      counterparts_(counterparts),
      reference_(reference),
      forward_(direction == Direction::forward),
      reached_(counterparts.communicators().size(), forward_ ? 0 : kNone),
      done_(rests.ranks()),
      wanted_(rests.ranks()),
      moved_to_(rests.ranks()) {}

Cut QuiescentCuts::places() const {
    if (forward_) return done_;
    Cut cut;
    for (u32 rank = 0; rank < done_.size(); ++rank) cut.push_back(place(rank, done_[rank]));
    return cut;
}

bool QuiescentCuts::next() {
    if (done_[reference_] < size(reference_)) {
        require(reference_, done_[reference_] + 1);
        close();
        return true;
    }
    for (u32 rank = 0; rank < done_.size(); ++rank) {
        if (done_[rank] < size(rank)) require(rank, size(rank));
    }
    close();
    return false;
}

void QuiescentCuts::close() {
    moved_.clear();
    ++cut_;
    while (!behind_.empty()) {
        const u32 rank = behind_.back();
        behind_.pop_back();
        note_moved(rank);
        const std::span<const Counterparts::Counterpart> counterparts = counterparts_.of(rank);
        while (done_[rank] < wanted_[rank]) {
            const u32 step = done_[rank]++;
            add(counterparts[forward_ ? step : counterparts.size() - 1 - step]);
        }
    }
}

void QuiescentCuts::note_moved(u32 rank) {
    if (moved_to_[rank] == cut_) return;
    moved_to_[rank] = cut_;
    moved_.push_back(rank);
}

void QuiescentCuts::add(const Counterparts::Counterpart& one) {
    if (one.rank == kNone) return;
    if (Counterparts::is_collective(one)) {
        add_collective(Counterparts::communicator(one), one.place);
    } else {
        require_behind(one.rank, one.place);
    }
}

/// Nobody waits for what the trace does not have.
void QuiescentCuts::add_collective(u32 communicator, u32 number) {
    u32& reached = reached_[communicator];
    if (forward_ ? number <= reached : number >= reached) return;
    reached = number;
    for (const Counterparts::Member& member : counterparts_.communicators()[communicator]) {
        if (number <= member.places.size()) require_behind(member.rank, member.places[number - 1]);
    }
}

/// The operation before a place has to be done.
void QuiescentCuts::require_behind(u32 rank, u32 place) {
    require(rank, forward_ ? place : size(rank) - place + 1);
}

void QuiescentCuts::require(u32 rank, u32 steps) {
    if (steps <= wanted_[rank]) return;
    if (wanted_[rank] == done_[rank]) behind_.push_back(rank);
    const u32 least = place(rank, steps);
    wanted_[rank] = place(rank, forward_ ? rests_.from(rank, least) : rests_.up_to(rank, least));
}

}  // namespace tracefold
