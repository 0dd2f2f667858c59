// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "steps/cut_sequence.hpp"

namespace tracefold {

CutSequence::CutSequence(const RestPlaces& rests, const Counterparts& counterparts, u32 reference,
                         Direction direction) {
    QuiescentCuts cuts(rests, counterparts, reference, direction);
    begin_ = cuts.places();
    places_.reserve(first_room(rests.operations(reference)));
    first_.reserve(first_room(rests.operations(reference) + u64{2}));
    moves_.reserve(first_room(rests.operations()));
    first_.push_back(0);
    while (cuts.next()) {
        places_.push_back(cuts.place());
        note_cut(cuts);
    }
    note_cut(cuts);
}

void CutSequence::note_cut(const QuiescentCuts& cuts) {
    for (const u32 rank : cuts.moved()) moves_.push_back({rank, cuts.place(rank)});
    first_.push_back(moves_.size());
}

void CutSequence::Walk::next() {
    if (passed_ + 1 >= all_.first_.size()) return;
    for (std::size_t i = all_.first_[passed_]; i < all_.first_[passed_ + 1]; ++i) {
        cut_[all_.moves_[i].rank] = all_.moves_[i].place;
    }
    ++passed_;
}

}  // namespace tracefold
