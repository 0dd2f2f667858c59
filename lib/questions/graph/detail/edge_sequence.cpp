// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/graph/detail/edge_sequence.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

/// Whether `next` continues `last`: one more block, or several at the same distance.
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

namespace {

using Edges = std::map<u32, ChoiceList::Edge>;

bool alike(const Choice* a, const Choice* b, std::size_t size) {
    return std::equal(a, a + size, b, [](const Choice& x, const Choice& y) { return x.like(y); });
}

bool same_body(const std::vector<Choice>& a, const std::vector<Choice>& b) {
    return a.size() == b.size() && alike(a.data(), b.data(), a.size());
}

/// Adds the edges of the items, first taken at visit 1 + `visits`. Returns the number of visits.
u64 add_edges(const std::vector<Choice>& items, u64 visits, Edges& edges) {
    for (const Choice& item : items) {
        if (item.body.empty()) {
            ChoiceList::Edge& edge = edges[item.to];
            edge.count += item.count;
            edge.ticks += item.ticks;
            append(edge.sequence, {{visits + 1, visits + 1, 0, item.count}, 1, 0, {}});
            visits += item.count;
            continue;
        }
        Edges inner;
        const u64 length = add_edges(item.body, 0, inner);
        for (auto& [to, edge] : inner) {
            ChoiceList::Edge& outer = edges[to];
            outer.count += edge.count * item.count;
            outer.ticks += edge.ticks * static_cast<double>(item.count);
            EdgeSequence all = repeat(std::move(edge.sequence), item.count, length);
            for (SequencePart& part : shifted(std::move(all), visits)) {
                append(outer.sequence, std::move(part));
            }
        }
        visits += length * item.count;
    }
    return visits;
}

}  // namespace

bool Choice::like(const Choice& other) const {
    return to == other.to && count == other.count && same_body(body, other.body);
}

/// Extends a run; a tail that equals the body of the preceding loop becomes one more iteration.
void ChoiceList::add(Choice choice) {
    if (!choice.body.empty()) {
        items_.push_back(std::move(choice));
        while (absorb_loop()) {
        }
        last_loop_ = items_.size() - 1;
        return;
    }
    if (!items_.empty() && items_.back().body.empty() && items_.back().to == choice.to) {
        items_.back().count += choice.count;
        items_.back().ticks += choice.ticks;
    } else {
        items_.push_back(std::move(choice));
    }
    join_loop();
}

bool ChoiceList::join_loop() {
    if (last_loop_ == kNoLoop) return false;
    Choice& loop = items_[last_loop_];
    const std::size_t size = loop.body.size();
    if (items_.size() - last_loop_ - 1 != size) return false;
    if (!alike(&items_[last_loop_ + 1], loop.body.data(), size)) return false;
    ++loop.count;
    items_.resize(last_loop_ + 1);
    return true;
}

/// Merges the last loop with a preceding iteration or a preceding loop of the same body.
bool ChoiceList::absorb_loop() {
    Choice& loop = items_.back();
    const std::size_t before = items_.size() - 1;
    const std::size_t size = loop.body.size();
    if (before > 0 && same_body(items_[before - 1].body, loop.body)) {
        loop.count += items_[before - 1].count;
        items_.erase(items_.end() - 2);
        return true;
    }
    if (last_loop_ != kNoLoop && last_loop_ >= before) return false;
    const std::size_t free = last_loop_ == kNoLoop ? before : before - last_loop_ - 1;
    if (free < size || !alike(&items_[before - size], loop.body.data(), size)) return false;
    ++loop.count;
    const auto end = items_.end() - 1;
    items_.erase(end - static_cast<std::ptrdiff_t>(size), end);
    return true;
}

void ChoiceList::add(ChoiceList list) {
    if (items_.empty()) {
        *this = std::move(list);
        return;
    }
    for (Choice& item : list.items_) add(std::move(item));
}

void ChoiceList::repeat(u64 times) {
    if (times == 1 || items_.empty()) return;
    if (items_.size() == 1) {
        items_.front().count *= times;
        if (items_.front().body.empty()) {
            items_.front().ticks = items_.front().ticks * static_cast<double>(times);
        }
        return;
    }
    std::vector<Choice> outer(1);
    outer.front().count = times;
    outer.front().body = std::move(items_);
    items_ = std::move(outer);
    last_loop_ = 0;
}

std::map<u32, ChoiceList::Edge> ChoiceList::edges() const {
    Edges edges;
    add_edges(items_, 0, edges);
    return edges;
}

void Choices::add(Choices&& next) {
    if (lists_.empty()) {
        lists_ = std::move(next.lists_);
    } else {
        for (auto& [from, list] : next.lists_) lists_[from].add(std::move(list));
    }
    next.lists_.clear();
}

void Choices::repeat(u64 times) {
    for (auto& [from, list] : lists_) list.repeat(times);
}

}  // namespace tracefold
