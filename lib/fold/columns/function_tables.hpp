// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "fold/column_cursor.hpp"
#include "fold/columns/function_reader.hpp"
#include "fold/structure_pool.hpp"

#include <optional>
#include <span>
#include <vector>

namespace tracefold {

/// The meaning of an argument's numbers.
enum class NumberKind : u8 {
    plain,
    places,  ///< participants, for numbers below their count
};

/// Finds functions for the columns of participants (`column_of_participant`, ids in `source`): all
/// candidates shorter than `size` bytes before compression; none if the search would be expensive.
/// The parameters go to the pool. Cost: the first numbers of all participants, for each grid; all
/// of their numbers only if functions fit.
std::vector<FunctionTable> find_functions(StructurePool& pool, const FoldedSource& source,
                                          std::span<const u32> column_of_participant,
                                          NumberKind kind, u64 size);

/// One argument of a symbol.
struct TogetherArgument {
    NumberKind kind = NumberKind::plain;
    std::vector<u32> column_of_participant;
};

/// Finds functions for arguments with common presence and order of their numbers, whatever their
/// size; returns one table per argument, or none.
std::vector<FunctionTable> find_functions_together(StructurePool& pool, const FoldedSource& source,
                                                   std::span<const TogetherArgument> arguments);

/// Estimates the bytes of a table in the file before compression.
u64 table_size(const StructurePool& pool, const FunctionTable& table);

/// Computes the columns of participants for the slots of one symbol or the counts of one script.
class FunctionUnfolding {
  public:
    explicit FunctionUnfolding(Structure& structure) : structure_(structure) {}

    /// Adds the columns of all participants to the assignment, behind all other columns; merges
    /// equal ones. Previous assignments must have been unfolded by this object in order, and must
    /// not move. Cost and memory: the numbers of these columns; throws Error(corrupt) if there are
    /// more than `limit`, which is lowered by them.
    void unfold(Assignment& assignment, u64& limit);

  private:
    Structure& structure_;
    std::optional<FunctionReader> leader_;
    std::vector<std::vector<u32>> numbers_;  ///< by participant, from the leader
};

/// Replaces offsets modulo `size` by themselves or their negative representative such that the
/// steps between successive ones change as rarely as possible: progressions across the border of a
/// grid stay progressions. Cost: linear.
void make_steady(std::vector<i64>& offsets, u32 size);

}  // namespace tracefold
