// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/column_builder.hpp"

#include "base/hash.hpp"
#include "fold/column_cursor.hpp"
#include "fold/column_values.hpp"
#include "fold/columns/column_size.hpp"
#include "fold/folder.hpp"
#include "fold/structure_pool.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

std::size_t ValueTable::slot_of(u64 value) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = mix(value) & mask;
    while (slots_[slot] != 0 && values_[slots_[slot] - 1] != value) slot = (slot + 1) & mask;
    return slot;
}

u32 ValueTable::search(u64 value) {
    if (2 * values_.size() >= slots_.size()) grow();
    const std::size_t slot = slot_of(value);
    if (slots_[slot] == 0) {
        values_.push_back(value);
        followers_.push_back(0);
        slots_[slot] = static_cast<u32>(values_.size());
    }
    const u32 found = slots_[slot] - 1;
    if (last_ != kNone) followers_[last_] = found;
    return last_ = found;
}

void ValueTable::grow() {
    slots_.assign(slots_.empty() ? 8 : 2 * slots_.size(), 0);
    values_.reserve(slots_.size() / 2);
    followers_.reserve(slots_.size() / 2);
    for (std::size_t i = 0; i < values_.size(); ++i) {
        slots_[slot_of(values_[i])] = static_cast<u32>(i + 1);
    }
}

void ValueTable::clear() {
    values_.clear();
    slots_.clear();
    followers_.clear();
    last_ = kNone;
}

namespace {

/// A shorter progression may be accidental, as in 5 7 9 100 5 7 9 100.
constexpr u64 kMeantProgression = 4;
/// Maximum number of distinct values in sequences with few repetitions.
constexpr std::size_t kIrregularAlphabet = 4096;
/// Shorter sequences, and those folded worse than this ratio, are tried in every form.
constexpr u64 kShortSequence = 4096;
constexpr u64 kPoorRatio = 16;
/// Maximum number of runs of the form `runs`.
constexpr std::size_t kMaxRuns = 16;
constexpr u64 kLongestPeriod = 4096;
constexpr u64 kLongestSearch = u64{1} << 20U;

/// Returns the body of a single loop over values, whose last iteration may be incomplete.
std::vector<u64> body_of_single_loop(const FoldedSource& source, const Column& column) {
    if (column.form != Column::Form::folded) return {};
    const Pattern& pattern = source.patterns[column.pattern];
    if (pattern.loops.size() != 1 || pattern.root[0] != pattern.leaf_count) return {};
    const std::vector<u32>& body = pattern.loops[0];
    const bool cut_off = pattern.root.size() <= body.size() &&
                         std::equal(pattern.root.begin() + 1, pattern.root.end(), body.begin());
    const bool single = column.counts.size() == 1 && column.counts[0].node == pattern.leaf_count;
    if (!cut_off || !single) return {};
    const std::vector<u64> letters = unwind(source, column.alphabet, pattern.leaf_count);
    std::vector<u64> period;
    period.reserve(body.size());
    for (const u32 leaf : body) period.push_back(letters[leaf]);
    return period;
}

/// Returns the shortest period of the first `size` values of a column; nothing if they do not
/// repeat or it is longer than `longest`. A loop over single values is recognised directly, at any
/// length; otherwise the values are compared, for columns of up to kLongestSearch. Cost of a
/// failing comparison: about 2 * longest values.
std::vector<u64> period_of(const FoldedSource& source, u32 column, u64 size, u64 longest) {
    std::vector<u64> body = body_of_single_loop(source, source.column(column));
    if (!body.empty() || size > kLongestSearch) return body;
    // Two periods determine the shortest one.
    std::vector<u64> period = unwind(source, column, std::min(size, 2 * longest));
    const std::size_t length = shortest_period(period);
    if (length > longest || 2 * length > size) return {};
    period.resize(length);
    ColumnCursor cursor(source, column);
    for (u64 i = 0; i < size; ++i) {
        if (cursor.next() != period[i % length]) return {};
    }
    return period;
}

}  // namespace

ColumnBuilder::ColumnBuilder() = default;
ColumnBuilder::ColumnBuilder(Mode forced) : mode_(forced) {}
ColumnBuilder::~ColumnBuilder() = default;
ColumnBuilder::ColumnBuilder(ColumnBuilder&&) noexcept = default;
ColumnBuilder& ColumnBuilder::operator=(ColumnBuilder&&) noexcept = default;

void ColumnBuilder::push_unpredicted(u64 value) {
    if (mode_ == Mode::list) {
        list_.push_back(value);
        ++before_;
        return;
    }
    if (size() == 0) {
        start_ = next_ = value;
        (mode_ == Mode::differences ? before_ : run_) = 1;
        return;
    }
    if (mode_ == Mode::progression) {
        if (run_ == 1) {
            stride_ = value - start_;
            next_ = value + stride_;
            run_ = 2;
            return;
        }
        start_folding();
    }
    const u64 last = next_ - stride_;
    const Mode before = mode_;
    flush_run();
    if (mode_ != before) {
        push(value);
        return;
    }
    stride_ = mode_ == Mode::differences ? value - last : 0;
    next_ = value + stride_;
    run_ = 1;
}

/// The progression ended: passes its values to the engine, as values or differences.
void ColumnBuilder::start_folding() {
    if (stride_ == 0) {
        mode_ = Mode::values;
        return;
    }
    if (run_ >= kMeantProgression) {
        mode_ = Mode::differences;
        --run_;
        before_ = 1;
        return;
    }
    mode_ = Mode::values;
    const u64 stride = std::exchange(stride_, 0);
    const u64 count = std::exchange(run_, 1);
    next_ = start_;
    for (u64 i = 1; i < count; ++i) {
        flush_run();
        next_ = start_ + i * stride;
        run_ = 1;
    }
}

/// Passes the current run to the engine: of the value before next_, or of the difference stride_.
void ColumnBuilder::flush_run() {
    if (run_ == 0) return;
    if (!folder_) folder_ = std::make_unique<Folder>();
    const u64 count = std::exchange(run_, 0);
    if (mode_ == Mode::values && runs_.size() <= 2 * kMaxRuns) {
        runs_.push_back(next_);
        runs_.push_back(count);
    }
    const u32 symbol = alphabet_.intern(mode_ == Mode::differences ? stride_ : next_);
    folder_->push(symbol, count);
    if (flushed_ != nullptr) flushed_->push_back({symbol, count});
    before_ += count;
    if (alphabet_.values().size() >= kIrregularAlphabet) give_up_if_irregular();
}

bool ColumnBuilder::settled() const {
    const bool folds = mode_ == Mode::differences || mode_ == Mode::values;
    if (!folds || !folder_ || alphabet_.values().size() >= kIrregularAlphabet) return false;
    return mode_ == Mode::differences || runs_.size() > 2 * kMaxRuns;
}

/// Tries differences for values that do not repeat, and a list for differences that do not: noise
/// then costs 8 bytes per value instead of a node.
void ColumnBuilder::give_up_if_irregular() {
    const std::size_t distinct = alphabet_.values().size();
    if (4 * distinct < 3 * folder_->item_count()) return;
    if ((distinct & (distinct - 1)) != 0) return;
    StructurePool pool;
    const u32 column = store_folded(pool);
    const bool values = mode_ == Mode::values;
    ColumnBuilder next(values ? Mode::differences : Mode::list);
    ColumnCursor cursor({pool.patterns(), pool.columns()}, column);
    for (u64 i = 0; i < before_; ++i) next.push(cursor.next());
    *this = std::move(next);
}

u32 ColumnBuilder::store_folded(StructurePool& pool) {
    folder_->finish();
    Column column;
    column.form = mode_ == Mode::differences ? Column::Form::differences : Column::Form::folded;
    column.start = mode_ == Mode::differences ? start_ : 0;
    column.pattern = folder_->store(pool, column.counts);
    column.alphabet = intern_alphabet(pool, alphabet_.values());
    return pool.intern(std::move(column));
}

u32 ColumnBuilder::store(StructurePool& pool) {
    if (mode_ == Mode::progression || size() == 1) {
        Column column;
        column.start = start_;
        column.stride = stride_;
        column.form = stride_ == 0 ? Column::Form::constant : Column::Form::progression;
        return pool.intern(std::move(column));
    }
    while (run_ != 0) flush_run();
    if (mode_ != Mode::list) return store_folded(pool);
    Column column;
    column.form = Column::Form::list;
    column.values = std::move(list_);
    return pool.intern(std::move(column));
}

u32 ColumnBuilder::finish(StructurePool& pool) {
    const u32 own = store(pool);
    // Checked late: flushing the last run may have ended folding.
    const bool folded = mode_ == Mode::values || mode_ == Mode::differences;
    if (!folded || size() < 2) return own;
    const bool poor = size() <= kShortSequence || size() / kPoorRatio < folder_->item_count();
    u32 best = pool.known_shortest(own, poor);
    if (best == kNone) {
        best = shorter_simple_form(pool, own);
        if (poor) best = shortest(pool, best);
        pool.remember_shortest(own, poor, best);
    }
    return best;
}

/// The forms `runs` and `periodic` need no pattern. Both are endless and thus independent of the
/// length of the program run.
u32 ColumnBuilder::shorter_simple_form(StructurePool& pool, u32 own) const {
    u32 best = own;
    const auto consider = [&](Column::Form form, std::vector<u64> values) {
        Column column;
        column.form = form;
        column.values = std::move(values);
        const u32 id = pool.intern(std::move(column));
        if (column_size(pool, id) < column_size(pool, best)) best = id;
    };
    if (!runs_.empty() && runs_.size() <= 2 * kMaxRuns) {
        consider(Column::Form::runs, {runs_.begin(), runs_.end() - 1});
    }
    // A value takes at least a byte: a longer period cannot be shorter than the best form.
    const u64 longest = std::min(kLongestPeriod, column_size(pool, best));
    std::vector<u64> period = period_of({pool.patterns(), pool.columns()}, own, size(), longest);
    if (!period.empty()) consider(Column::Form::periodic, std::move(period));
    return best;
}

/// Tries the other forms of the sequence; the shortest one wins, at equal size the current one.
u32 ColumnBuilder::shortest(StructurePool& pool, u32 own) {
    if (column_size(pool, own) <= std::min(kSmallestFolded, smallest_list(size()))) return own;
    ColumnBuilder other(mode_ == Mode::values ? Mode::differences : Mode::values);
    ColumnBuilder list(Mode::list);
    {
        ColumnCursor cursor({pool.patterns(), pool.columns()}, own);
        for (u64 i = 0; i < size(); ++i) {
            const u64 value = cursor.next();
            other.push(value);
            list.push(value);
        }
    }
    u32 best = own;
    for (const u32 candidate : {other.store(pool), list.store(pool)}) {
        if (column_size(pool, candidate) < column_size(pool, best)) best = candidate;
    }
    return best;
}

u32 CountColumn::finish(StructurePool& pool) {
    if (held_ != 0) column_.push(held_);
    held_ = 0;
    const u32 column = column_.finish(pool);
    const Column& content = pool.columns()[column];
    return content.form == Column::Form::constant && content.start <= 1 ? kNone : column;
}

}  // namespace tracefold
