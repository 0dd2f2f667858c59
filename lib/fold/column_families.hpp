// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/structure_pool.hpp"

#include <vector>

namespace tracefold {

inline constexpr u64 kUnlimited = u64{1} << 56U;

/// The maximum of implied numbers, such as those of columns in families, in a structure with this
/// many locations: they take no bytes of their own.
constexpr u64 free_numbers(u64 locations) { return (u64{1} << 22U) + 1024 * locations; }

/// Finds families among the columns of classes 0, 1, ..., if they are shorter than separate
/// columns. Adds their columns to the pool. Cost: linear in the numbers of all columns.
std::vector<ColumnFamily> find_families(StructurePool& pool, const std::vector<u32>& columns);

/// Adds the implied columns of all families, function tables and matched receives behind all other
/// columns. Cost and memory: the numbers of these columns, and the calls if there are matched
/// receives; throws Error(corrupt) beyond `limit` of them.
void unfold_families(Structure& structure, u64 limit = kUnlimited);

/// As unfold_families(), but leaves the columns of families to StructureIndex, unless there are
/// matched receives.
void unfold_for_index(Structure& structure, u64 limit);

/// As unfold_families(), without matched receives; lowers `limit`.
void unfold_tables(Structure& structure, u64& limit);
void unfold_tables(Structure& structure);

/// The inverse of unfold_families(): removes implied columns, as files store the structure.
Structure refold_families(Structure structure);

}  // namespace tracefold
