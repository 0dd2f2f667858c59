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

/// What the numbers of an argument are.
enum class NumberKind : u8 {
    plain,
    places,  ///< of participants, where they are below their number
};

/// Functions that give each participant the numbers of its column, of which `column_of_participant`
/// names the ids in `source`: all ways to write them that are worth a comparison, none if they all
/// take `size` bytes before compression or more, or if looking for them would take long. The
/// parameters go to the pool. Cost: the first numbers of all participants, for each grid; all of
/// them only where there are functions.
std::vector<FunctionTable> find_functions(StructurePool& pool, const FoldedSource& source,
                                          std::span<const u32> column_of_participant,
                                          NumberKind kind, u64 size);

/// One argument of a symbol.
struct TogetherArgument {
    NumberKind kind = NumberKind::plain;
    std::vector<u32> column_of_participant;
};

/// The same for arguments whose numbers come together, so that what tells which participants have
/// which number, and in which order, is the same for all of them: by argument, empty if there are
/// none, whatever they take.
std::vector<FunctionTable> find_functions_together(StructurePool& pool, const FoldedSource& source,
                                                   std::span<const TogetherArgument> arguments);

/// About how many bytes functions take in the file before compression.
u64 table_size(const StructurePool& pool, const FunctionTable& table);

/// Makes the columns of participants, for the slots of one symbol or the counts of one script.
class FunctionUnfolding {
  public:
    explicit FunctionUnfolding(Structure& structure) : structure_(structure) {}

    /// Gives the assignment the columns of all participants, behind all other columns: equal ones
    /// are one. Assignments before, in their order, were unfolded by this, and stay where they are.
    /// Cost and memory: the numbers of these columns; Error(corrupt) is thrown if there are more
    /// than `limit`, which is lowered by them.
    void unfold(Assignment& assignment, u64& limit);

  private:
    Structure& structure_;
    std::optional<FunctionReader> leader_;
    std::vector<std::vector<u32>> numbers_;  ///< by participant, of the leader
};

/// Offsets of functions one after the other, from 0 to below `size`, each replaced by itself or the
/// same below 0, so that the steps between them change as rarely as they can: what goes on beyond
/// the border of a grid goes on steadily. Cost: linear.
void make_steady(std::vector<i64>& offsets, u32 size);

}  // namespace tracefold
