// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/structure_pool.hpp"

#include <vector>

namespace tracefold {

inline constexpr u64 kUnlimited = u64{1} << 56U;

/// Numbers that take no bytes of their own, as those of columns in families, that a structure of so
/// many locations may have.
constexpr u64 free_numbers(u64 locations) { return (u64{1} << 22U) + 1024 * locations; }

/// Families among the columns of the classes 0, 1, ..., where they are shorter than the columns one
/// by one. Their columns go to the pool. Cost: linear in the numbers of all columns.
std::vector<ColumnFamily> find_families(StructurePool& pool, const std::vector<u32>& columns);

/// Makes the columns of all families, tables of functions and matched receives that are not there,
/// behind all other columns. Cost and memory: the numbers of these columns, and the calls if there
/// are matched receives; Error(corrupt) is thrown beyond `limit` of them.
void unfold_families(Structure& structure, u64 limit = kUnlimited);

/// The same without matched receives; `limit` is lowered.
void unfold_tables(Structure& structure, u64& limit);
void unfold_tables(Structure& structure);

/// The inverse: the structure as a file has it, without these columns.
Structure refold_families(Structure structure);

}  // namespace tracefold
