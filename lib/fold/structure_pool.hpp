// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/hash.hpp"
#include "fold/column_cursor.hpp"
#include "model/structure.hpp"

#include <unordered_map>
#include <vector>

namespace tracefold {

/// Content-addressed patterns and columns: equal content has one id, within and across locations.
/// References inside a column are hashed by the content they lead to, so an address does not depend
/// on the order of interning. Cost of interning: linear in the item; memory: the distinct content.
class StructurePool {
  public:
    u32 intern(Pattern pattern);
    /// Precondition: the ids inside the column were given out by this pool.
    u32 intern(Column column);

    [[nodiscard]] const std::vector<Pattern>& patterns() const { return patterns_; }
    [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
    [[nodiscard]] const ContentHash& pattern_hash(u32 id) const { return pattern_hashes_[id]; }
    [[nodiscard]] const ContentHash& column_hash(u32 id) const { return column_hashes_[id]; }

    /// The shortest form of a folded column, if it was looked for with the same effort: kNone if
    /// not. Ranks have many columns in common.
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

/// The letters of a pattern as a column: a progression if they are one, else a list. A column that
/// is an alphabet is never folded itself. Precondition: at least one letter.
u32 intern_alphabet(StructurePool& pool, std::vector<u64> letters);

/// Copies columns with all that they refer to from one numbering into a pool, each once.
class ColumnCopier {
  public:
    ColumnCopier(const FoldedSource& source, StructurePool& target);

    /// The id in the target. Cost: linear in what was not copied before.
    u32 copy(u32 column);

  private:
    FoldedSource source_;
    StructurePool& target_;
    std::vector<u32> copied_;
};

}  // namespace tracefold
