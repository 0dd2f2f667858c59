// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "proxy/place_walk.hpp"

#include "core/error.hpp"

namespace tracefold {

PlaceNumbers::PlaceNumbers(const Pattern& pattern) : first_{0} {
    for (BodyId body = 0; body <= pattern.loops.size(); ++body) {
        first_.push_back(first_.back() + static_cast<u32>(body_of(pattern, body).size()));
    }
}

PlaceWalk::PlaceWalk(const FoldedSource& source, const Script& script, const Pattern& whole)
    : script_(script),
      whole_(whole),
      numbers_(whole),
      counts_(source, script.pattern, script.counts) {
    enter(0, 0, 1);
}

void PlaceWalk::enter(BodyId own, BodyId whole, u64 trips) {
    frames_.push_back({own, whole, &script_.places.at({own, whole}), 0, trips});
}

bool PlaceWalk::advance() {
    while (frames_.back().next == frames_.back().items->size()) {
        Frame& frame = frames_.back();
        if (frame.trips_left > 1) {
            --frame.trips_left;
            frame.next = 0;
        } else if (frames_.size() == 1) {
            return false;
        } else {
            frames_.pop_back();
        }
    }
    return true;
}

bool PlaceWalk::passes_over() {
    return left_ == 0 && advance() && (*frames_.back().items)[frames_.back().next] == kNone;
}

PlaceWalk::Step PlaceWalk::next() {
    if (left_ != 0) {
        --left_;
        return {place_, true, false, 0};
    }
    if (!advance()) throw Error(ErrorKind::corrupt, "a script ends before its last call");
    Frame& frame = frames_.back();
    const auto place = static_cast<u32>(numbers_.first(frame.whole) + frame.next);
    const u32 whole = body_of(whole_, frame.whole)[frame.next];
    const u32 own = (*frame.items)[frame.next++];
    if (own == kNone) return {place, false, true, 0};
    const u32 node = body_of(script_.pattern, frame.own)[own];
    const u64 count = counts_.next(node);
    if (node < script_.pattern.leaf_count) {
        place_ = place;
        left_ = count - 1;
        return {place, true, true, count};
    }
    enter(node - script_.pattern.leaf_count + 1, whole - whole_.leaf_count + 1, count);
    return {place, false, true, count};
}

}  // namespace tracefold
