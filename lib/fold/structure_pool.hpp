// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/hash.hpp"
#include "fold/column_cursor.hpp"
#include "model/structure.hpp"

#include <map>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Content-addressed patterns and columns: equal content has one id, within and across locations.
/// References inside a column are hashed by content, so an address does not depend on the order of
/// interning. Cost of interning: linear in the item; memory: the distinct content.
class StructurePool {
  public:
    u32 intern(Pattern pattern);
    /// Precondition: the ids inside the column are from this pool.
    u32 intern(Column column);

    [[nodiscard]] const std::vector<Pattern>& patterns() const { return patterns_; }
    [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
    [[nodiscard]] const ContentHash& pattern_hash(u32 id) const { return pattern_hashes_[id]; }
    [[nodiscard]] const ContentHash& column_hash(u32 id) const { return column_hashes_[id]; }

    /// Returns the cached shortest form of a folded column for the same search effort; kNone if not
    /// searched. Ranks share many columns.
    [[nodiscard]] u32 known_shortest(u32 folded, bool every_form) const {
        const auto found = shortest_.find(2 * u64{folded} + (every_form ? 1 : 0));
        return found == shortest_.end() ? kNone : found->second;
    }
    void remember_shortest(u32 folded, bool every_form, u32 shortest) {
        shortest_.emplace(2 * u64{folded} + (every_form ? 1 : 0), shortest);
    }

  private:
    using Index = std::unordered_map<ContentHash, u32, ContentHashHasher>;

    std::vector<Pattern> patterns_;
    std::vector<Column> columns_;
    std::vector<ContentHash> pattern_hashes_;
    std::vector<ContentHash> column_hashes_;
    Index pattern_index_;
    Index column_index_;
    std::unordered_map<u64, u32> shortest_;
    std::vector<u64> scratch_;
};

/// Interns the letters of a pattern as a column: a progression if possible, else a list; never
/// folded. Precondition: at least one letter.
u32 intern_alphabet(StructurePool& pool, std::vector<u64> letters);

/// Copies columns with all referenced items from one numbering to a pool, each once.
class ColumnCopier {
  public:
    ColumnCopier(const FoldedSource& source, StructurePool& target);

    /// Returns the id in the target. Cost: linear in the items not yet copied.
    u32 copy(u32 column);

  private:
    FoldedSource source_;
    StructurePool& target_;
    std::vector<u32> copied_;
};

/// Builds the class columns of an assignment from those of its participants; merges equal ones.
class ClassColumns {
  public:
    /// Adds the column of the next participant: a list, or periodic for all participants.
    void add(Column column);
    /// Appends the columns, then the column of classes.
    void append_to(Structure& structure, Assignment& assignment);

  private:
    std::map<std::vector<u64>, u64> known_;
    std::vector<Column> columns_;
    Column classes_{Column::Form::list, 0, 0, {}, kNone, kNone, {}};
};

/// Visits the columns of functions in file order.
template <class Table, class Visitor>
requires std::is_same_v<std::remove_const_t<Table>, FunctionTable>
void for_each_column_ref(Table& table, const Visitor& visit) {
    const auto visit_known = [&visit](auto& column) {
        if (column != kNone) visit(column);
    };
    visit_known(table.function_of);
    for (auto& column : table.parameters) visit(column);
    for (auto& column : table.lookups) visit(column);
    visit_known(table.lookup_of);
    for (auto& column : table.factors) visit(column);
    for (auto& column : table.factor_of) visit(column);
    visit_known(table.order);
    visit_known(table.choices);
    visit_known(table.presence);
    for (auto& column : table.presences) visit(column);
    visit_known(table.group_of);
}

/// Visits an assignment's columns, except those implied by families.
template <class Visitor>
void for_each_column_ref(Assignment& assignment, const Visitor& visit) {
    if (assignment.by_participant != kNone) visit(assignment.by_participant);
    if (assignment.functions) for_each_column_ref(*assignment.functions, visit);
    auto family = assignment.families.begin();
    for (u32 i = 0; i < assignment.columns.size(); ++i) {
        visit(assignment.columns[i]);
        if (family == assignment.families.end() || family->first != i) continue;
        for (ColumnFamily::Number& number : family->numbers) visit(number.column);
        i += family++->size - 1;
    }
}

}  // namespace tracefold
