// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "proxy/place_walk.hpp"

#include "core/error.hpp"

namespace tracefold {

PlaceNumbers::PlaceNumbers(const Pattern& pattern) {
    first_ = {0, static_cast<u32>(pattern.root.size())};
    for (const std::vector<u32>& body : pattern.loops) {
        first_.push_back(first_.back() + static_cast<u32>(body.size()));
    }
}

PlaceWalk::PlaceWalk(const FoldedSource& source, u32 pattern, const std::vector<NodeCount>& counts)
    : pattern_(source.patterns[pattern]),
      numbers_(pattern_),
      frames_{{0, 0, 1}},
      counts_of_(pattern_.node_count(), kNone) {
    for (const NodeCount& count : counts) {
        counts_of_[count.node] = static_cast<u32>(counts_.size());
        counts_.emplace_back(source, count.column);
    }
}

u64 PlaceWalk::count_of(u32 node) {
    if (counts_of_[node] == kNone) return 1;
    const u64 count = counts_[counts_of_[node]].next();
    if (count == 0) throw Error(ErrorKind::corrupt, "a loop or run has a count of zero");
    return count;
}

PlaceWalk::Step PlaceWalk::next() {
    if (left_ != 0) {
        --left_;
        return {place_, 0, true};
    }
    while (frames_.back().next == items(frames_.back().body).size()) {
        Frame& frame = frames_.back();
        if (--frame.trips_left != 0) {
            frame.next = 0;
        } else if (frames_.size() == 1) {
            throw Error(ErrorKind::corrupt, "a script ends before its last call");
        } else {
            frames_.pop_back();
        }
    }
    Frame& frame = frames_.back();
    const auto place = static_cast<u32>(numbers_.first(frame.body) + frame.next);
    const u32 item = items(frame.body)[frame.next++];
    const u64 count = count_of(item);
    if (item < pattern_.leaf_count) {
        place_ = place;
        left_ = count - 1;
        return {place, count, true};
    }
    frames_.push_back({std::size_t{1} + item - pattern_.leaf_count, 0, count});
    return {place, count, false};
}

}  // namespace tracefold
