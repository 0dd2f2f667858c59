// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/iteration_counter.hpp"

#include "core/error.hpp"

namespace tracefold {

namespace {

const Pattern& pattern_of(StructureIndex& index, u32 script) {
    return index.structure().patterns[index.structure().scripts[script].pattern];
}

}  // namespace

IterationCounter::IterationCounter(StructureIndex& index, u32 location, u32 loop)
    : pattern_(pattern_of(index, index.script(Stream::events, location))), loop_(loop) {
    const u32 script = index.script(Stream::events, location);
    for (u32 node = 0; node < pattern_.node_count(); ++node) {
        counts_.push_back(index.count_cursor(script, node, location));
    }
    frames_.push_back({kNone, &pattern_.root, 0, 1});
}

void IterationCounter::enter(u32 node, u64 iterations) {
    if (iterations == 0) throw Error(ErrorKind::corrupt, "a loop or run has a count of zero");
    frames_.push_back({node, &pattern_.loops[node - pattern_.leaf_count], 0, iterations});
    if (node != loop_) return;
    inside_ = 1;
    ++started_;
}

void IterationCounter::next() {
    while (repetitions_ == 0) {
        Frame& frame = frames_.back();
        if (frame.next < frame.body->size()) {
            const u32 item = (*frame.body)[frame.next++];
            const u64 count = counts_[item].next();
            if (item < pattern_.leaf_count) {
                repetitions_ = count;
            } else {
                enter(item, count);
            }
        } else if (--frame.left != 0) {
            frame.next = 0;
            if (frame.node == loop_) ++started_;
        } else {
            if (frame.node == loop_) inside_ = 0;
            frames_.pop_back();
            if (frames_.empty()) throw Error(ErrorKind::corrupt, "a script ends before its calls");
        }
    }
    --repetitions_;
}

}  // namespace tracefold
