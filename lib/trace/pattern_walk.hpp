// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/structure.hpp"

#include <set>
#include <utility>
#include <vector>

namespace tracefold {

/// Walks the items of a pattern in the order of execution, each loop once for every place in which
/// it begins, however often it iterates. `visitor` has
///   here()      a number for the place, such as a call path
///   leaf(u32)   goes on to the place behind a leaf; false ends the walk
/// True at the end: all iterations of all loops begin where the first one did, so that the walk has
/// met every place. Cost: items times places.
template <class Visitor>
bool walk_places(const Pattern& pattern, Visitor& visitor) {
    struct Frame {
        u32 loop = 0;  ///< among the loops of the pattern; kNone: the root
        u32 next = 0;  ///< item of the body
        u32 entry = kNone;
    };
    std::set<std::pair<u32, u32>> walked;  // loops, by where they begin
    std::vector<Frame> frames{{kNone, 0, kNone}};
    while (!frames.empty()) {
        Frame& frame = frames.back();
        const std::vector<u32>& body =
            frame.loop == kNone ? pattern.root : pattern.loops[frame.loop];
        if (frame.next == body.size()) {
            // The next iteration begins where this one did.
            if (frame.loop != kNone && visitor.here() != frame.entry) return false;
            frames.pop_back();
            continue;
        }
        const u32 item = body[frame.next++];
        if (item < pattern.leaf_count) {
            if (!visitor.leaf(item)) return false;
            continue;
        }
        const u32 loop = item - pattern.leaf_count;
        const u32 here = visitor.here();
        if (walked.emplace(loop, here).second) frames.push_back({loop, 0, here});
    }
    return true;
}

}  // namespace tracefold
