// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/number_table.hpp"

#include "fold/column_rows.hpp"
#include "fold/column_values.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tracefold {

namespace {

/// Numbers of a participant, and of all participants, that are looked at.
constexpr u64 kMostNumbers = u64{1} << 16U;
constexpr u64 kMostOfAll = u64{1} << 21U;
/// Numbers of a folded column that are looked at: those behind them have to repeat them.
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

/// What columns share that differ only in the values of their letters: the pattern and its counts.
using Shape = std::pair<u32, std::vector<NodeCount>>;

Shape shape_of(const Column& column) { return {column.pattern, column.counts}; }

std::vector<u64> letters_of(const FoldedSource& source, const Column& column) {
    return unwind(source, column.alphabet, source.patterns[column.pattern].leaf_count);
}

/// Unwinds the first numbers of folded columns; columns of one shape are walked once.
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
    /// Runs of more than kMostFolded letters, or of all.
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
    const Column& column = source.columns[id];
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

/// Whether a folded column has the numbers of the sequence again and again, to its end.
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

/// The same for many columns: those of one shape whose letters differ repeat or do not alike.
class Repetitions {
  public:
    explicit Repetitions(const FoldedSource& source) : source_(source) {}

    bool repeats(u32 id, const NumberSequence& sequence, std::size_t period) {
        const Column& column = source_.columns[id];
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

/// The shortest period; a sequence that does not end is whole periods.
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
