// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/irregular_columns.hpp"

#include "fold/column_cursor.hpp"
#include "fold/column_size.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

/// A list takes as much as so many bytes of a folded column do, and a part of the others: what
/// comes first teaches the model.
constexpr u64 kTeachingSize = 80;
constexpr u64 kPredictedRatio = 4;
/// Longer columns of definitions are tables, such as the parents of calling contexts, whose
/// patterns are no chance.
constexpr u64 kMostDefinitions = 256;

u64 coded_size(u64 list_size) {
    if (list_size < kTeachingSize) return list_size;
    return kTeachingSize + (list_size - kTeachingSize) / kPredictedRatio;
}

/// The values of a folded column, nothing if there are more than `most`.
std::optional<std::vector<u64>> unwound(const FoldedSource& source, const Column& column,
                                        u64 most) {
    std::vector<u64> letters;
    ColumnCursor alphabet(source, column.alphabet);
    const u32 leaves = source.patterns[column.pattern].leaf_count;
    while (letters.size() < leaves) letters.push_back(alphabet.next());
    const bool differences = column.form == Column::Form::differences;
    std::vector<u64> values;
    if (differences) values.push_back(column.start);
    PatternCursor cursor(source, column.pattern, column.counts);
    PatternCursor::Run run{};
    while (cursor.next(run)) {
        if (run.count > most || values.size() > most - run.count) return std::nullopt;
        for (u64 i = 0; i < run.count; ++i) {
            values.push_back(letters[run.leaf] + (differences ? values.back() : 0));
        }
    }
    return values;
}

/// The column as a list of at most `most` values if that takes less.
std::optional<Column> shorter_list(const FoldedSource& source, u32 id, u64 most) {
    const u64 size = column_size(source, id);
    // A number takes a byte at least.
    most = std::min(most, kTeachingSize + kPredictedRatio * size);
    auto values = unwound(source, source.columns[id], most);
    if (!values) return std::nullopt;
    Column list;
    list.form = Column::Form::list;
    list.values = std::move(*values);
    if (coded_size(list_size(list.values)) >= size) return std::nullopt;
    return list;
}

/// How many columns and scripts have each pattern.
std::vector<u32> users_of_patterns(const Structure& structure) {
    std::vector<u32> users(structure.patterns.size(), 0);
    for (const Script& script : structure.scripts) ++users[script.pattern];
    for (const Column& column : structure.columns) {
        if (column.is_folded()) ++users[column.pattern];
    }
    return users;
}

/// Columns whose numbers those of other ones differ from.
std::vector<bool> columns_of_families(const Structure& structure) {
    std::vector<bool> found(structure.columns.size(), false);
    for (const auto* table : {&structure.script_counts, &structure.slots}) {
        for (const std::vector<Assignment>& assignments : *table) {
            for (const Assignment& assignment : assignments) {
                for (const ColumnFamily& family : assignment.families) {
                    found[assignment.columns[family.first]] = true;
                }
            }
        }
    }
    return found;
}

}  // namespace

void list_irregular_columns(Structure& structure) {
    const std::vector<u32> users = users_of_patterns(structure);
    const std::vector<bool> in_family = columns_of_families(structure);
    const FoldedSource source{structure.patterns, structure.columns};
    const bool events = !structure.facts.empty();
    const u64 most = events ? ~u64{0} : kMostDefinitions;
    std::vector<std::pair<u32, Column>> lists;
    for (u32 id = 0; id < structure.columns.size(); ++id) {
        const Column& column = structure.columns[id];
        if (!column.is_folded() || users[column.pattern] > 1 || in_family[id]) continue;
        if (auto list = shorter_list(source, id, most)) lists.emplace_back(id, std::move(*list));
    }
    for (auto& [id, list] : lists) structure.columns[id] = std::move(list);
}

}  // namespace tracefold
