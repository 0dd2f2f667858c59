// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/column_cursor.hpp"

#include "base/error.hpp"
#include "base/types.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

constexpr u64 kForEver = ~u64{0};

const Column kLeafNumbers = {Column::Form::folded, 0, 0, {}, kNone, kNone, {}};

[[noreturn]] void exhausted() {
    throw Error(ErrorKind::corrupt, "a column ends before the script that uses it");
}

}  // namespace

u64 ValueRun::sum() const {
    const u64 even = count % 2 == 0 ? count : count - 1;
    const u64 odd = count % 2 == 0 ? count - 1 : count;
    return count == 0 ? 0 : count * start + stride * (even / 2 * odd);
}

std::optional<u64> ValueRun::total(u64 limit) const {
    if (count == 0) return 0;
    if (count > limit || start == 0 || start > limit || last() == 0 || last() > limit) return {};
    // Steps within the limit cannot wrap around between two ends within it.
    const u64 step = std::min(stride, ~stride + 1);
    if (count > 1 && step > limit / (count - 1)) return {};
    const u128 sum = u128{count} * (start + last()) / 2;
    if (sum > limit) return {};
    return static_cast<u64>(sum);
}

u64 ValueRun::occurrences(u64 value) const {
    if (stride == 0) return value == start ? count : 0;
    const bool falls = stride >> 63U != 0;
    const u64 distance = falls ? start - value : value - start;
    const u64 step = falls ? ~stride + 1 : stride;
    return distance % step == 0 && distance / step < count ? 1 : 0;
}

u64 checked_count(u64 count) {
    if (count == 0) throw Error(ErrorKind::corrupt, "a loop or run has a count of zero");
    return count;
}

struct ColumnCursor::Folded {
    Folded(const FoldedSource& source, const Column& column)
        : alphabet(unwind(source, column.alphabet, source.patterns[column.pattern].leaf_count)),
          runs(source, column.pattern, column.counts) {}
    explicit Folded(PatternCursor pattern) : runs(std::move(pattern)) {}

    [[nodiscard]] u64 letter(u32 leaf) const { return alphabet.empty() ? leaf : alphabet[leaf]; }

    std::vector<u64> alphabet;  ///< empty: leaf numbers are the values
    PatternCursor runs;
    u64 taken = 0;  ///< number of consumed runs
};

ColumnCursor::ColumnCursor(const FoldedSource& source, u32 column)
    : column_(&source.column(column)) {
    if (column_->is_folded()) {
        folded_ = std::make_unique<Folded>(source, *column_);
    } else if (column_->values.empty()) {
        value_ = column_->start;
        stride_ = column_->stride;
        left_ = kForEver;
    }
}

ColumnCursor::ColumnCursor() = default;

ColumnCursor ColumnCursor::constant(u64 value) {
    ColumnCursor cursor;
    cursor.value_ = value;
    cursor.left_ = kForEver;
    return cursor;
}

ColumnCursor ColumnCursor::of_leaves(PatternCursor pattern) {
    ColumnCursor cursor;
    cursor.column_ = &kLeafNumbers;
    cursor.folded_ = std::make_unique<Folded>(std::move(pattern));
    return cursor;
}

ColumnCursor::~ColumnCursor() = default;
ColumnCursor::ColumnCursor(ColumnCursor&&) noexcept = default;
ColumnCursor& ColumnCursor::operator=(ColumnCursor&&) noexcept = default;

void ColumnCursor::refill() {
    if (column_ == nullptr) {
        left_ = kForEver;
        return;
    }
    switch (column_->form) {
        case Column::Form::constant:
        case Column::Form::progression:
            left_ = kForEver;
            return;
        case Column::Form::list:
            if (index_ == column_->values.size()) exhausted();
            value_ = column_->values[index_++];
            left_ = 1;
            return;
        case Column::Form::periodic:
            value_ = column_->values[index_++];
            if (index_ == column_->values.size()) restart();
            left_ = 1;
            return;
        case Column::Form::runs:
            value_ = column_->values[index_];
            left_ = index_ + 1 < column_->values.size() ? column_->values[index_ + 1] : kForEver;
            if (left_ == 0) throw Error(ErrorKind::corrupt, "a run is empty");
            if (left_ != kForEver) index_ += 2;
            return;
        case Column::Form::folded:
        case Column::Form::differences:
            break;
    }
    const bool differences = column_->form == Column::Form::differences;
    if (differences && !started_) {
        started_ = true;
        value_ = column_->start;
        left_ = 1;
        return;
    }
    PatternCursor::Run run{};
    if (!folded_->runs.next_whole(run)) exhausted();
    ++folded_->taken;
    const u64 letter = folded_->letter(run.leaf);
    left_ = run.count;
    if (differences) {
        value_ += letter - stride_;
        stride_ = letter;
    } else {
        value_ = letter;
    }
}

LoopTurn ColumnCursor::turn() const {
    if (left_ != 0 || column_ == nullptr) return {};
    if (folded_) return folded_->runs.turn();
    const bool ends = column_->form == Column::Form::periodic && index_ == 0;
    return ends ? LoopTurn{0, kForEver, 1} : LoopTurn{};
}

std::size_t ColumnCursor::node_count() const { return folded_ ? folded_->runs.node_count() : 1; }

bool ColumnCursor::in_stretch() const {
    switch (column_->form) {
        case Column::Form::runs:
            return left_ <= kForEver / 2;  // the last one is endless
        case Column::Form::folded:
        case Column::Form::differences:
            return true;
        default:
            return false;
    }
}

/// True for forms that store every value.
bool ColumnCursor::is_listed() const {
    return column_->form == Column::Form::list || column_->form == Column::Form::periodic;
}

/// Counts how many of the next values equal those `way` positions before. Bounded: a caller that
/// skips them compares again.
u64 ColumnCursor::repeated(u64 way) const {
    constexpr u64 kMostTimes = 64;
    const std::vector<u64>& values = column_->values;
    const u64 most = std::min<u64>(values.size() - index_, kMostTimes * way);
    u64 count = 0;
    while (count < most && values[index_ + count] == values[index_ + count - way]) ++count;
    return count;
}

/// A repetition needs the same place, or equal values and no restart in between; without a compared
/// state, none is known.
void ColumnCursor::save_place(CursorState& state) const {
    const u64 left = column_->values.size() - index_;
    const u64 before = state.left_before(left);
    // The compared state may be one of another place of the same length.
    const bool may_come_again = before > left && before - left <= index_ && !state.differs();
    state.add_stretch(left, restarts_, may_come_again ? left - repeated(before - left) : left);
}

void ColumnCursor::save(CursorState& state) const {
    if (column_ == nullptr || column_->form == Column::Form::constant) return;
    state.add(value_);
    if (is_listed()) return save_place(state);
    state.add(index_);
    if (in_stretch()) state.add_stretch(left_, folded_ ? folded_->taken : index_, 0);
    if (!folded_) return;
    state.add(stride_);
    state.add(started_ ? 1 : 0);
    folded_->runs.save(state);
}

void ColumnCursor::restore(CursorState& state) {
    if (column_ == nullptr || column_->form == Column::Form::constant) return;
    if (is_listed()) {
        index_ = column_->values.size() - state.take();
        const bool at_end = index_ == column_->values.size();
        if (at_end && column_->form == Column::Form::periodic) restart();
        return;
    }
    if (in_stretch()) left_ = state.take();
    if (folded_) folded_->runs.restore(state);
}

NodeCounts::NodeCounts(const FoldedSource& source, const Pattern& pattern,
                       const std::vector<NodeCount>& counts)
    : NodeCounts(pattern) {
    for (const NodeCount& count : counts) add(count.node, ColumnCursor(source, count.column));
}

void NodeCounts::add(u32 node, ColumnCursor counts) {
    place_of_[node] = static_cast<u32>(counts_.size());
    counts_.push_back(std::move(counts));
}

void NodeCounts::save(CursorState& state) const {
    for (const ColumnCursor& counts : counts_) counts.save(state);
}

void NodeCounts::restore(CursorState& state) {
    for (ColumnCursor& counts : counts_) counts.restore(state);
}

PatternCursor::PatternCursor(const FoldedSource& source, u32 pattern,
                             const std::vector<NodeCount>& counts)
    : PatternCursor(source.patterns[pattern],
                    NodeCounts(source, source.patterns[pattern], counts)) {}

PatternCursor::PatternCursor(const Pattern& pattern, NodeCounts counts)
    : pattern_(&pattern), counts_(std::move(counts)) {
    frames_.emplace_back(pattern_->root, 1, kNone, 0);
}

bool PatternCursor::next(Run& run) {
    while (true) {
        Frame& frame = frames_.back();
        if (frame.next == frame.end) {
            if (--frame.trips_left != 0) {
                frame.next = frame.begin;
                continue;
            }
            if (frames_.size() == 1) {
                frame.trips_left = 1;
                return false;
            }
            frames_.pop_back();
            if (followed_frame_ == frames_.size()) followed_frame_ = 0;
            continue;
        }
        const u32 item = *frame.next++;
        if (item < pattern_->leaf_count) {
            run = {item, counts_.next(item)};
            return true;
        }
        const std::vector<u32>& body = pattern_->loops[item - pattern_->leaf_count];
        frames_.emplace_back(body, counts_.next(item), item, ++pushes_);
        if (item != followed_) continue;
        followed_frame_ = frames_.size() - 1;
        followed_end_ += frames_.back().trips_left;
    }
}

bool PatternCursor::next_whole(Run& run) {
    if (!next(run)) return false;
    Frame& frame = frames_.back();
    const bool is_alone = frame.end - frame.begin == 1 && counts_.are_constant(run.leaf);
    if (!is_alone || run.count > kForEver / frame.trips_left) return true;
    run.count *= std::exchange(frame.trips_left, 1);
    return true;
}

LoopTurn PatternCursor::turn() const {
    for (std::size_t i = frames_.size() - 1; i > 0; --i) {
        const Frame& frame = frames_[i];
        if (frame.next != frame.end) break;
        if (frame.trips_left > 1) return {frame.node, frame.trips_left, i};
    }
    return {};
}

void PatternCursor::save(CursorState& state) const {
    state.add(frames_.size());
    for (const Frame& frame : frames_) {
        state.add(frame.node);
        state.add(frame.place());
        state.add_stretch(frame.trips_left, frame.serial, 1);
    }
    counts_.save(state);
}

void PatternCursor::restore(CursorState& state) {
    for (Frame& frame : frames_) frame.trips_left = state.take();
    counts_.restore(state);
}

std::vector<u64> unwind(const FoldedSource& source, u32 column, u64 size) {
    ColumnCursor cursor(source, column);
    std::vector<u64> values;
    for (u64 i = 0; i < size; ++i) values.push_back(cursor.next());
    return values;
}

}  // namespace tracefold
