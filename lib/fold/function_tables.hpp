// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_cursor.hpp"
#include "fold/structure_pool.hpp"

#include <optional>
#include <span>
#include <vector>

namespace tracefold {

/// A table of functions that gives each participant the numbers of its column, of which
/// `column_of_participant` names the ids in `source`; nothing if there is none that takes less than
/// `most` bytes before compression, or if looking for it would take long. The parameters go to the
/// pool. Cost: the first numbers of all participants; all of them only where there is a table.
std::optional<FunctionTable> find_functions(StructurePool& pool, const FoldedSource& source,
                                            std::span<const u32> column_of_participant, u64 most);

/// About how many bytes a table takes in the file before compression.
u64 table_size(const StructurePool& pool, const FunctionTable& table);

/// Gives the assignment the columns of all participants, behind all other columns: equal ones are
/// one. Cost and memory: the numbers of these columns; Error(corrupt) is thrown if there are more
/// than `limit`, which is lowered by them.
void unfold_tables(Structure& structure, Assignment& assignment, u64& limit);

}  // namespace tracefold
