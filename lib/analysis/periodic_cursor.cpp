// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/periodic_cursor.hpp"

#include "core/error.hpp"

#include <algorithm>

namespace tracefold {

namespace {

[[noreturn]] void exhausted() {
    throw Error(ErrorKind::corrupt, "a column ends before the script that uses it");
}

}  // namespace

PeriodicCursor::PeriodicCursor(const FoldedSource& source, u32 column)
    : column_(&source.columns[column]) {
    const bool differences = column_->form == Column::Form::differences;
    if (column_->is_folded()) {
        alphabet_ = unwind(source, column_->alphabet, source.patterns[column_->pattern].leaf_count);
        pattern_ = std::make_unique<PeriodicPattern>(source, *column_,
                                                     differences ? alphabet_ : std::vector<u64>());
        value_ = column_->start;
    }
    if (differences) {
        run_ = {column_->start, 0, 1};
    } else {
        next_run();
    }
}

PeriodicCursor::PeriodicCursor(const PeriodicCursor& other)
    : column_(other.column_),
      run_(other.run_),
      index_(other.index_),
      value_(other.value_),
      alphabet_(other.alphabet_),
      pattern_(other.pattern_ ? std::make_unique<PeriodicPattern>(*other.pattern_) : nullptr) {}

PeriodicCursor PeriodicCursor::constant(u64 value) {
    PeriodicCursor cursor;
    cursor.run_ = {value, 0, kForEver};
    return cursor;
}

PeriodicCursor PeriodicCursor::over(const FoldedSource& source, const ExecutionCounts::Use& use) {
    return use.column == kNone ? constant(use.value) : PeriodicCursor(source, use.column);
}

PeriodicCursor PeriodicCursor::over_loops(const Pattern& pattern, const std::vector<u32>& nodes,
                                          std::vector<PeriodicCursor> counts) {
    static const Column kFolded = {Column::Form::folded, 0, 0, {}, kNone, kNone, {}};
    PeriodicCursor cursor;
    cursor.column_ = &kFolded;
    cursor.pattern_ = std::make_unique<PeriodicPattern>(pattern, nodes, std::move(counts));
    cursor.next_run();
    return cursor;
}

void PeriodicCursor::next_run() {
    switch (column_->form) {
        case Column::Form::constant:
        case Column::Form::progression:
            run_ = {column_->start, column_->stride, kForEver};
            return;
        case Column::Form::list:
            if (index_ == column_->values.size()) {
                run_.count = 0;
                return;
            }
            run_ = {column_->values[index_++], 0, 1};
            return;
        case Column::Form::periodic:
            run_ = {column_->values[index_], 0, 1};
            index_ = (index_ + 1) % column_->values.size();
            return;
        case Column::Form::runs: {
            const bool last = index_ + 1 == column_->values.size();
            run_ = {column_->values[index_], 0, last ? kForEver : column_->values[index_ + 1]};
            if (run_.count == 0) throw Error(ErrorKind::corrupt, "a run is empty");
            if (!last) index_ += 2;
            return;
        }
        case Column::Form::folded:
        case Column::Form::differences:
            next_folded();
            return;
    }
}

void PeriodicCursor::next_folded() {
    PatternCursor::Run letters{};
    if (!pattern_->next(letters)) {
        run_.count = 0;
        return;
    }
    const u64 letter = alphabet_.empty() ? pattern_->innermost_loop() : alphabet_[letters.leaf];
    if (column_->form == Column::Form::folded) {
        run_ = {letter, 0, letters.count};
    } else {
        run_ = {value_ + letter, letter, letters.count};
        value_ = run_.last();
    }
}

void PeriodicCursor::advance(u64 count) {
    if (count > run_.count || count == 0) exhausted();
    if (run_.count != kForEver) run_.count -= count;
    run_.start += run_.stride * count;
    if (run_.count == 0) next_run();
}

std::size_t PeriodicCursor::levels() const { return loops_around() + (is_periodic() ? 2 : 1); }

Period PeriodicCursor::period(std::size_t level) const {
    if (level + 1 == levels()) return {run_.stride == 0 ? u64{1} : u64{0}, run_.count};
    if (is_periodic()) return {column_->values.size(), kForEver};
    return pattern_->period(level, run_.count);
}

void PeriodicCursor::skip(std::size_t level, u64 count) {
    if (level + 1 == levels()) {
        if (run_.count != kForEver) run_.count -= count;
    } else if (pattern_) {
        pattern_->skip(level, count);
    }
}

std::optional<PeriodicCursor::Steady> PeriodicCursor::steady() const {
    for (std::size_t level = 0; level < levels(); ++level) {
        const Period ahead = period(level);
        if (ahead.length == 0 || ahead.left / 2 <= ahead.length) continue;
        return Steady{level, ahead.length, sum_of(ahead.length), ahead.left};
    }
    return std::nullopt;
}

u64 PeriodicCursor::sum_of(u64 numbers) const {
    if (numbers == 1) return run_.start;
    PeriodicCursor walk(*this);
    u64 sum = 0;
    while (numbers > 0) {
        const u64 count = std::min(numbers, walk.run_.count);
        sum += ValueRun{walk.run_.start, walk.run_.stride, count}.sum();
        numbers -= count;
        walk.advance(count);
    }
    return sum;
}

}  // namespace tracefold
