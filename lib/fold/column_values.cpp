// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/column_values.hpp"

#include "base/error.hpp"
#include "fold/repeat_finder.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tracefold {

namespace {

[[noreturn]] void wrong_size() {
    throw Error(ErrorKind::corrupt, "a column does not have as many numbers as its script needs");
}

[[noreturn]] void wrong_counts() {
    throw Error(ErrorKind::corrupt, "the counts of its loops do not add up to its length");
}

}  // namespace

void ColumnValues::visit(u32 column, u64 size, const Sink& sink) {
    if (size == 0) return;
    const Column& content = source_.column(column);
    switch (content.form) {
        case Column::Form::constant:
        case Column::Form::progression:
            sink({content.start, content.stride, size});
            return;
        case Column::Form::list:
            if (size > content.values.size()) wrong_size();
            for (u64 i = 0; i < size; ++i) sink({content.values[i], 0, 1});
            return;
        case Column::Form::periodic:
            visit_periodic(content, size, sink);
            return;
        case Column::Form::runs:
            visit_runs(content, size, sink);
            return;
        case Column::Form::folded:
            visit_folded(content, size, sink);
            return;
        case Column::Form::differences:
            visit_differences(content, size, sink);
            return;
    }
}

void ColumnValues::visit_periodic(const Column& column, u64 size, const Sink& sink) {
    const u64 period = column.values.size();
    for (u64 i = 0; i < period && i < size; ++i) {
        sink({column.values[i], 0, size / period + (i < size % period ? 1 : 0)});
    }
}

void ColumnValues::visit_runs(const Column& column, u64 size, const Sink& sink) {
    for (std::size_t i = 0; size > 0; i += 2) {
        const bool last = i + 1 == column.values.size();
        const u64 count = last ? size : std::min(size, column.values[i + 1]);
        sink({column.values[i], 0, count});
        size -= count;
    }
}

void ColumnValues::visit_folded(const Column& column, u64 size, const Sink& sink) {
    const u32 leaves = source_.patterns[column.pattern].leaf_count;
    const std::vector<u64> times = executions(column, size);
    const std::vector<u64> alphabet = unwind(source_, column.alphabet, leaves);
    u64 seen = 0;
    for (u32 leaf = 0; leaf < leaves; ++leaf) {
        seen += times[leaf];
        sink({alphabet[leaf], 0, times[leaf]});
    }
    if (seen != size) wrong_size();
}

void ColumnValues::visit_differences(const Column& column, u64 size, const Sink& sink) {
    const Pattern& pattern = source_.patterns[column.pattern];
    const std::vector<u64> alphabet = unwind(source_, column.alphabet, pattern.leaf_count);
    PatternCursor cursor(source_, column.pattern, column.counts);
    sink({column.start, 0, 1});
    u64 value = column.start;
    u64 left = size - 1;
    for (PatternCursor::Run run{}; cursor.next(run); left -= run.count) {
        if (run.count > left) wrong_size();
        const ValueRun values{value + alphabet[run.leaf], alphabet[run.leaf], run.count};
        sink(values);
        value = values.last();
    }
    if (left != 0) wrong_size();
}

u64 ColumnValues::sum(u32 column, u64 size) {
    const auto known = sums_.find(column);
    if (known != sums_.end() && known->second.size == size) return known->second.sum;
    u64 total = 0;
    visit(column, size, [&total](const ValueRun& run) { total += run.sum(); });
    if (source_.column(column).is_folded()) sums_[column] = {size, total};
    return total;
}

u64 ColumnValues::total_count(u32 column, u64 size, u64 limit) {
    const auto known = total_counts_.find(column);
    if (known != total_counts_.end() && known->second.size == size && known->second.sum <= limit) {
        return known->second.sum;
    }
    u64 total = 0;
    visit(column, size, [&](const ValueRun& run) {
        const std::optional<u64> more = run.total(limit - total);
        if (!more) wrong_counts();
        total += *more;
    });
    if (source_.column(column).is_folded()) total_counts_[column] = {size, total};
    return total;
}

u64 ColumnValues::length(u32 column) {
    const Column& folded = source_.column(column);
    const std::vector<u64> times = executions(folded, kMostRecords);
    const u32 leaves = source_.patterns[folded.pattern].leaf_count;
    const u64 first = folded.form == Column::Form::differences ? 1 : 0;
    return std::accumulate(times.begin(), times.begin() + leaves, first);
}

std::vector<u64> ColumnValues::executions(const Column& folded, u64 limit) {
    const Pattern& pattern = source_.patterns[folded.pattern];
    std::vector<u32> columns(pattern.node_count(), kNone);
    for (const NodeCount& count : folded.counts) columns[count.node] = count.column;
    const auto total = [&](u32 node, u64 visits) {
        return columns[node] == kNone ? visits : total_count(columns[node], visits, limit);
    };
    return executions(pattern, total, limit);
}

std::vector<u64> ColumnValues::executions(const Pattern& pattern,
                                          const std::function<u64(u32, u64)>& total, u64 limit,
                                          std::vector<u64>* visits) {
    const auto node_count = static_cast<u32>(pattern.node_count());
    std::vector<u64> times(node_count, 0);
    std::vector<u64> passes(node_count, 0);
    const auto come_by = [&](const std::vector<u32>& body, u64 iterations) {
        for (const u32 item : body) {
            if (iterations > limit - passes[item]) wrong_counts();
            passes[item] += iterations;
        }
    };
    const auto run = [&](u32 node) {
        times[node] = total(node, passes[node]);
        if (times[node] > limit) wrong_counts();
    };
    come_by(pattern.root, 1);
    // Bodies contain only loops of lower index: every loop is processed before its parts.
    for (u32 node = node_count; node-- > pattern.leaf_count;) {
        run(node);
        come_by(pattern.loops[node - pattern.leaf_count], times[node]);
    }
    for (u32 leaf = 0; leaf < pattern.leaf_count; ++leaf) run(leaf);
    if (visits != nullptr) *visits = std::move(passes);
    return times;
}

namespace {

/// Walks several columns in parallel; the walk of RepeatFinder.
class RowWalker {
  public:
    struct Cycle {
        u64 times = 0;
    };

    RowWalker(std::vector<ColumnCursor>&& columns, u64 size, const RowSink& sink)
        : columns_(std::move(columns)), sink_(sink), left_(size) {
        u32 nodes = 0;
        for (const ColumnCursor& column : columns_) {
            first_node_.push_back(nodes);
            nodes += static_cast<u32>(column.node_count());
        }
    }

    void walk() {
        while (left_ > 0 && goes_on_) {
            pass_row();
            if (left_ > 0) find_repeats();
        }
    }

    [[nodiscard]] LoopTurn turn() const { return turn_; }
    [[nodiscard]] u32 steps() const { return rows_; }
    [[nodiscard]] std::size_t watched() const { return watched_.size(); }
    void watch() {
        noted_.clear();
        left_at_mark_ = left_;
        watched_.clear();
        save(watched_);
    }
    Cycle cycle() {
        now_.clear_and_compare(watched_);
        save(now_);
        const u64 length = left_at_mark_ - left_;
        return {std::min(now_.repeats_since(watched_), left_ / length)};
    }

  private:
    /// Maximum number of iterations in a common period.
    static constexpr u64 kLongestPeriod = 256;
    /// Maximum number of stored runs of a period.
    static constexpr std::size_t kMostNoted = 1'000'000;

    void pass_row() {
        u64 count = left_;
        for (ColumnCursor& column : columns_) count = std::min(count, column.run_size());
        row_.clear();
        for (ColumnCursor& column : columns_) row_.push_back(column.take_run(count));
        left_ -= count;
        ++rows_;
        goes_on_ = sink_(row_, 1);
        if (!finder_.is_looking()) return;
        noted_.insert(noted_.end(), row_.begin(), row_.end());
        if (noted_.size() > kMostNoted) finder_.give_up();
    }

    /// All loops of all columns are candidates, but while one is examined only those of its column.
    void find_repeats() {
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            if (finder_.is_looking() && i != leader_) continue;
            turn_ = columns_[i].turn();
            turn_.node += turn_.node == kNone ? 0 : first_node_[i];
            const Repeat repeat = finder_.at_turn();
            if (repeat == Repeat::marked) leader_ = i;
            if (repeat == Repeat::again) leave_out(finder_.cycle().times);
            if (repeat != Repeat::none) return;
        }
    }

    void leave_out(u64 times) {
        finder_.accept();
        const std::span<const ValueRun> noted = noted_;
        for (std::size_t i = 0; i < noted.size() && goes_on_; i += columns_.size()) {
            goes_on_ = sink_(noted.subspan(i, columns_.size()), times);
        }
        left_ -= times * (left_at_mark_ - left_);
        now_.go_on(watched_, times);
        for (ColumnCursor& column : columns_) column.restore(now_);
    }

    void save(CursorState& state) const {
        for (const ColumnCursor& column : columns_) {
            if (state.differs()) return;
            column.save(state);
        }
    }

    std::vector<ColumnCursor> columns_;
    const RowSink& sink_;
    u64 left_;  ///< remaining numbers of each column
    bool goes_on_ = true;
    u32 rows_ = 0;
    std::vector<ValueRun> row_;
    std::vector<ValueRun> noted_;  ///< rows since the mark
    u64 left_at_mark_ = 0;
    std::size_t leader_ = 0;  ///< column of the examined loop
    LoopTurn turn_;
    std::vector<u32> first_node_;  ///< by column
    CursorState watched_;
    CursorState now_;
    RepeatFinder<RowWalker> finder_{*this, kLongestPeriod};
};

}  // namespace

void visit_rows(std::vector<ColumnCursor> columns, u64 size, const RowSink& sink) {
    RowWalker(std::move(columns), size, sink).walk();
}

namespace {

/// Maximum number of values per participant, and in total.
constexpr u64 kMostNumbers = u64{1} << 16U;
constexpr u64 kMostOfAll = u64{1} << 21U;
/// Maximum length of a folded column's prefix: later values have to repeat it.
constexpr u64 kMostFolded = u64{1} << 12U;

std::optional<NumberSequence> numbers_of_runs(const Column& column) {
    NumberSequence sequence{{}, NumberSequence::End::last};
    for (std::size_t i = 0; i + 1 < column.values.size(); i += 2) {
        const u64 length = column.values[i + 1];
        if (length > kMostFolded - sequence.numbers.size()) return std::nullopt;
        sequence.numbers.insert(sequence.numbers.end(), length, column.values[i]);
    }
    sequence.numbers.push_back(column.values.back());
    return sequence;
}

/// A pattern and its counts, shared by columns that differ only in their letters.
using Shape = std::pair<u32, std::vector<NodeCount>>;

Shape shape_of(const Column& column) { return {column.pattern, column.counts}; }

std::vector<u64> letters_of(const FoldedSource& source, const Column& column) {
    return unwind(source, column.alphabet, source.patterns[column.pattern].leaf_count);
}

/// Unwinds prefixes of folded columns; columns of one shape are walked once.
class FoldedNumbers {
  public:
    explicit FoldedNumbers(const FoldedSource& source) : source_(source) {}

    NumberSequence numbers_of(const Column& column) {
        const std::vector<u64> letters = letters_of(source_, column);
        const bool differences = column.form == Column::Form::differences;
        NumberSequence sequence{{}, NumberSequence::End::here};
        std::vector<u64>& numbers = sequence.numbers;
        if (differences) numbers.push_back(column.start);
        for (const PatternCursor::Run& run : runs_of(column)) {
            const u64 letter = letters[run.leaf];
            const u64 room = kMostFolded - numbers.size();
            for (u64 i = std::min(run.count, room); i > 0; --i) {
                numbers.push_back(differences ? numbers.back() + letter : letter);
            }
            if (run.count > room) sequence.end = NumberSequence::End::later;
        }
        return sequence;
    }

  private:
    /// Returns the first runs, of more than kMostFolded letters unless it ends earlier.
    const std::vector<PatternCursor::Run>& runs_of(const Column& column) {
        const auto [entry, is_new] = runs_.try_emplace(shape_of(column));
        if (!is_new) return entry->second;
        PatternCursor cursor(source_, column.pattern, column.counts);
        PatternCursor::Run run{};
        for (u64 letters = 0; letters <= kMostFolded && cursor.next(run);) {
            entry->second.push_back(run);
            letters += std::min(run.count, kMostFolded + 1);
        }
        return entry->second;
    }

    const FoldedSource& source_;
    std::map<Shape, std::vector<PatternCursor::Run>> runs_;
};

std::optional<NumberSequence> first_numbers(const FoldedSource& source, FoldedNumbers& folded,
                                            u32 id) {
    const Column& column = source.column(id);
    switch (column.form) {
        case Column::Form::list:
        case Column::Form::periodic:
            if (column.values.empty() || column.values.size() > kMostNumbers) return std::nullopt;
            return NumberSequence{column.values, column.form == Column::Form::list
                                                     ? NumberSequence::End::here
                                                     : NumberSequence::End::never};
        case Column::Form::constant:
            return NumberSequence{{column.start}, NumberSequence::End::never};
        case Column::Form::runs:
            return numbers_of_runs(column);
        case Column::Form::folded:
        case Column::Form::differences:
            return folded.numbers_of(column);
        default:
            return std::nullopt;
    }
}

/// True if a folded column repeats the sequence to its end.
bool has_repeated(const FoldedSource& source, u32 id, const NumberSequence& sequence,
                  std::size_t period) {
    std::vector<Column> expected(1);
    expected[0].form = Column::Form::periodic;
    expected[0].values.assign(sequence.numbers.begin(), sequence.numbers.begin() + period);
    const FoldedSource once{source.patterns, expected};
    std::vector<ColumnCursor> columns;
    columns.emplace_back(source, id);
    columns.emplace_back(once, 0);
    bool same = true;
    visit_rows(std::move(columns), ColumnValues(source).length(id),
               [&same](std::span<const ValueRun> runs, u64 /*times*/) {
                   same = runs[0].start == runs[1].start;  // a periodic column has single numbers
                   return same;
               });
    return same;
}

/// has_repeated() for many columns: those of one shape with different letters give equal results.
class Repetitions {
  public:
    explicit Repetitions(const FoldedSource& source) : source_(source) {}

    bool repeats(u32 id, const NumberSequence& sequence, std::size_t period) {
        const Column& column = source_.column(id);
        if (column.form != Column::Form::folded || !has_different_letters(column)) {
            return has_repeated(source_, id, sequence, period);
        }
        const auto [entry, is_new] = known_.try_emplace({shape_of(column), period});
        if (is_new) entry->second = has_repeated(source_, id, sequence, period);
        return entry->second;
    }

  private:
    [[nodiscard]] bool has_different_letters(const Column& column) const {
        std::vector<u64> letters = letters_of(source_, column);
        std::ranges::sort(letters);
        return std::ranges::adjacent_find(letters) == letters.end();
    }

    const FoldedSource& source_;
    std::map<std::pair<Shape, std::size_t>, bool> known_;
};

/// Returns the shortest period; an endless sequence consists of whole periods.
std::size_t period_of(const NumberSequence& sequence) {
    const std::size_t size = sequence.numbers.size();
    const std::size_t period = shortest_period(sequence.numbers);
    const bool is_whole = sequence.end != NumberSequence::End::never || size % period == 0;
    return is_whole ? period : size;
}

}  // namespace

std::size_t shortest_period(const std::vector<u64>& numbers) {
    std::vector<std::size_t> border(numbers.size() + 1, 0);
    for (std::size_t i = 1, length = 0; i < numbers.size(); ++i) {
        while (length > 0 && numbers[i] != numbers[length]) length = border[length];
        if (numbers[i] == numbers[length]) ++length;
        border[i + 1] = length;
    }
    return numbers.size() - border.back();
}

bool NumberTable::fill(const FoldedSource& source, std::span<const u32> column_of_participant) {
    FoldedNumbers folded(source);
    u64 total = 0;
    for (const u32 id : column_of_participant) {
        if (sequences_.contains(id)) continue;
        std::optional<NumberSequence> sequence = first_numbers(source, folded, id);
        if (!sequence) return false;
        total += sequence->numbers.size();
        if (total > kMostOfAll) return false;
        sequences_.emplace(id, std::move(*sequence));
    }
    return true;
}

bool NumberTable::find_size(std::size_t participants) {
    std::size_t common = 1;
    std::size_t least = kMostNumbers;
    for (const auto& [id, sequence] : sequences_) {
        if (sequence.end == NumberSequence::End::last) return false;
        common = std::lcm(common, period_of(sequence));
        if (common > kMostNumbers) return false;
        if (sequence.end == NumberSequence::End::never) continue;
        least = std::min(least, sequence.numbers.size());
    }
    periodic_ = common <= least;
    size_ = periodic_ ? common : least;
    const auto fits = [this](const auto& entry) {
        return entry.second.end == NumberSequence::End::here &&
               entry.second.numbers.size() == size_;
    };
    const bool found = periodic_ || std::all_of(sequences_.begin(), sequences_.end(), fits);
    return found && size_ * participants <= kMostOfAll;
}

bool NumberTable::holds(const FoldedSource& source) const {
    Repetitions repetitions(source);
    return std::all_of(sequences_.begin(), sequences_.end(), [&](const auto& entry) {
        return entry.second.end != NumberSequence::End::later ||
               repetitions.repeats(entry.first, entry.second, size_);
    });
}

bool NumberTable::cut_to_periods(const FoldedSource& source) {
    Repetitions repetitions(source);
    for (auto& [id, sequence] : sequences_) {
        if (sequence.end == NumberSequence::End::last) return false;
        const std::size_t period = period_of(sequence);
        if (sequence.end == NumberSequence::End::later &&
            !repetitions.repeats(id, sequence, period)) {
            return false;
        }
        sequence.numbers.resize(period);
        sequence.end = NumberSequence::End::never;
    }
    return true;
}

std::vector<u64> NumberTable::first(u32 column, std::size_t count) const {
    const NumberSequence& sequence = sequences_.at(column);
    std::vector<u64> numbers(count);
    for (std::size_t k = 0; k < count; ++k) numbers[k] = sequence.at(k);
    return numbers;
}

std::optional<std::size_t> NumberTable::length(u32 column) const {
    const NumberSequence& sequence = sequences_.at(column);
    if (sequence.end != NumberSequence::End::here) return std::nullopt;
    return sequence.numbers.size();
}

bool NumberTable::all_known() const {
    return std::none_of(sequences_.begin(), sequences_.end(), [](const auto& entry) {
        return entry.second.end == NumberSequence::End::later;
    });
}

}  // namespace tracefold
