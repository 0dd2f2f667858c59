// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/like_columns.hpp"

#include "fold/column_cursor.hpp"
#include "fold/column_size.hpp"
#include "fold/structure_pool.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace tracefold::inline fold {

namespace {

/// What is said besides the letters: the form, the number of the column, a start.
constexpr u64 kColumnMention = 3;

/// The letters with which the pattern of a column gives these numbers; none if it does not.
std::vector<u64> letters_for(const StructurePool& pool, const Column& column,
                             std::span<const u64> numbers) {
    PatternCursor runs({pool.patterns(), pool.columns()}, column.pattern, column.counts);
    std::vector<std::optional<u64>> known(pool.patterns()[column.pattern].leaf_count);
    PatternCursor::Run run{};
    while (runs.next(run)) {
        if (run.count > numbers.size()) return {};
        std::optional<u64>& letter = known[run.leaf];
        if (!letter) letter = numbers[0];
        const auto here = numbers.first(run.count);
        const bool fits =
            std::all_of(here.begin(), here.end(), [&](u64 n) { return n == *letter; });
        if (!fits) return {};
        numbers = numbers.subspan(run.count);
    }
    if (!numbers.empty()) return {};
    std::vector<u64> letters;
    letters.reserve(known.size());
    for (const std::optional<u64>& letter : known) letters.push_back(letter.value_or(0));
    return letters;
}

std::vector<u64> steps_of(std::span<const u64> values) {
    std::vector<u64> steps;
    steps.reserve(values.size());
    for (std::size_t i = 1; i < values.size(); ++i) steps.push_back(values[i] - values[i - 1]);
    return steps;
}

}  // namespace

LikeColumns::LikeColumns(const Structure& structure) {
    const auto add = [&](u32 column) {
        if (column != kNone && structure.columns[column].is_folded()) columns_.push_back(column);
    };
    for (const u32 column : structure.script_of) add(column);
    for (const u32 column : structure.facts) add(column);
    for (const auto* table : {&structure.script_counts, &structure.slots}) {
        for (const std::vector<Assignment>& assignments : *table) {
            for (const Assignment& assignment : assignments) add(assignment.by_participant);
        }
    }
    std::sort(columns_.begin(), columns_.end());
    columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());
}

u32 LikeColumns::shortest(StructurePool& pool, std::span<const u64> values, u32 own) const {
    const std::vector<u64> steps = steps_of(values);
    u64 size = column_size(pool, own);
    u32 best = own;
    for (const u32 id : columns_) {
        const Column& known = pool.columns()[id];
        const bool differences = known.form == Column::Form::differences;
        const std::vector<u64> letters = letters_for(pool, known, differences ? steps : values);
        if (letters.empty()) continue;
        Column column = known;
        column.start = differences ? values[0] : 0;
        column.alphabet = intern_alphabet(pool, letters);
        const u64 needed = kColumnMention + column_size(pool, column.alphabet);
        if (needed >= size) continue;
        size = needed;
        best = pool.intern(std::move(column));
    }
    return best;
}

}  // namespace tracefold::inline fold
