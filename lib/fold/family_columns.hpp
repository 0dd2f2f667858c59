// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "fold/placed_values.hpp"
#include "model/structure.hpp"

#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Returns the numbers that may differ between the columns of a family, in file order: start (if
/// the form has one) and stride, or the values; for a folded column, start and the numbers of its
/// alphabet.
std::vector<u64> family_numbers(const std::vector<Column>& columns, const Column& column);

/// Returns the family of a class; null if it is in none.
const ColumnFamily* family_of(const Assignment& assignment, u64 of_class);

/// The columns of a family by member, from the first one and the numbers that differ. Memory: the
/// first column, and the runs of these numbers.
class FamilyMembers {
  public:
    /// `first` is the column of the first member. Throws Error(corrupt) if a number is missing.
    FamilyMembers(const FoldedSource& source, const ColumnFamily& family, u32 first);

    [[nodiscard]] bool is_folded() const { return column_.is_folded(); }
    /// Returns the column of a member; `alphabet` is the id of its alphabet if it is folded.
    [[nodiscard]] Column column(u64 member, u32 alphabet = kNone) const;
    /// Precondition: the columns are folded.
    [[nodiscard]] Column alphabet(u64 member) const;

  private:
    [[nodiscard]] std::vector<u64> numbers(u64 member) const;

    struct Varying {
        u32 place;
        PlacedValues values;  ///< by member
    };
    Column column_;
    Column alphabet_;
    std::vector<u64> numbers_;  ///< of the first member
    std::vector<Varying> varying_;
};

/// The columns that families of a structure imply, under ids behind those of its own columns; each
/// is made at its first use, so that classes that nobody asks for take no memory. The structure
/// must outlive this object. Thread-safe.
class FamilyColumns {
  public:
    /// For families whose columns are not in the structure. Throws Error(corrupt) if numbers of a
    /// family are missing. Cost: the runs of these numbers.
    explicit FamilyColumns(const Structure& structure);

    [[nodiscard]] u64 column_count() const { return end_ - first_; }
    /// Returns the id of a class of one of the structure's assignments; kNone if it is in no
    /// family. Precondition: the structure itself has no column for the class.
    [[nodiscard]] u32 id(const Assignment& assignment, u64 of_class) const;
    /// Returns the column with this id; remains valid.
    [[nodiscard]] const Column& column(u32 id) const;

  private:
    struct Family {
        u32 first;  ///< id of the second member's column; the first one is in the structure
        FamilyMembers members;
    };
    void add(const FoldedSource& source, const Assignment& assignment);

    u32 first_;
    u32 end_;                       ///< id behind the last one
    std::vector<Family> families_;  ///< by rising id
    std::unordered_map<const ColumnFamily*, u32> numbers_;
    mutable std::mutex mutex_;
    mutable std::unordered_map<u32, Column> made_;
};

}  // namespace tracefold
