// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/edge_sequence.hpp"

#include <utility>

namespace tracefold {

namespace {

/// True if `next` goes on where `last` ends: one more block, or more of them at the same distance.
bool continues(const SequenceTuple& last, const SequenceTuple& next) {
    if (last.count != next.count) return false;
    const u64 step = next.first - last.last;
    const bool fits_last = last.first == last.last || last.stride == step;
    const bool fits_next = next.first == next.last || next.stride == step;
    return fits_last && fits_next;
}

bool join(SequenceTuple& last, const SequenceTuple& next) {
    const bool single = last.first == last.last && next.first == next.last;
    if (single && last.first + last.count == next.first) {
        last.count += next.count;
        return true;
    }
    if (!continues(last, next)) return false;
    last.stride = next.first - last.last;
    last.last = next.last;
    return true;
}

}  // namespace

void append(EdgeSequence& sequence, SequencePart part) {
    const bool plain = part.inside.empty() && !sequence.empty() && sequence.back().inside.empty();
    if (plain && join(sequence.back().tuple, part.tuple)) return;
    sequence.push_back(std::move(part));
}

EdgeSequence repeat(EdgeSequence sequence, u64 times, u64 shift) {
    if (times == 1 || sequence.empty()) return sequence;
    if (sequence.size() == 1 && sequence.front().inside.empty()) {
        SequenceTuple& tuple = sequence.front().tuple;
        const u64 blocks = tuple.blocks();
        if (blocks == 1 && tuple.count == shift) {
            tuple.count *= times;
            return sequence;
        }
        if (blocks == 1 || blocks * tuple.stride == shift) {
            if (blocks == 1) tuple.stride = shift;
            tuple.last += (times - 1) * shift;
            return sequence;
        }
    }
    EdgeSequence outer(1);
    outer.front() = {{}, times, shift, std::move(sequence)};
    return outer;
}

EdgeSequence shifted(EdgeSequence sequence, u64 by) {
    for (SequencePart& part : sequence) {
        part.tuple.first += by;
        part.tuple.last += by;
        part.inside = shifted(std::move(part.inside), by);
    }
    return sequence;
}

u64 tuple_count(const EdgeSequence& sequence) {
    u64 tuples = 0;
    for (const SequencePart& part : sequence) {
        tuples += part.inside.empty() ? 1 : tuple_count(part.inside);
    }
    return tuples;
}

bool SequenceCursor::next(u64& visit) {
    if (left_ == 0 && !next_block()) return false;
    --left_;
    visit = visit_++;
    return true;
}

bool SequenceCursor::next_block() {
    if (tuple_ != nullptr && block_ != tuple_->last) {
        block_ += tuple_->stride;
    } else {
        tuple_ = nullptr;
    }
    while (tuple_ == nullptr) {
        Frame& frame = frames_.back();
        if (frame.part == frame.parts->size()) {
            if (--frame.times_left != 0) {
                frame.part = 0;
                frame.offset += frame.shift;
                continue;
            }
            if (frames_.size() == 1) {
                frame.times_left = 1;
                return false;
            }
            frames_.pop_back();
            continue;
        }
        const SequencePart& part = (*frame.parts)[frame.part++];
        if (part.inside.empty()) {
            tuple_ = &part.tuple;
            block_ = tuple_->first;
        } else {
            frames_.push_back({&part.inside, 0, part.times, part.shift, frame.offset});
        }
    }
    visit_ = block_ + frames_.back().offset;
    left_ = tuple_->count;
    return true;
}

}  // namespace tracefold
