// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_cursor.hpp"
#include "fold/structure_pool.hpp"

#include <vector>

namespace tracefold {

/// About how many bytes a column and what it refers to take in the file before compression. Used
/// to choose between forms. Cost: linear in the column.
u64 column_size(const StructurePool& pool, u32 column);
u64 column_size(const FoldedSource& source, u32 column);

/// Bytes of these values, and of the differences between them.
struct ListSizes {
    u64 plain = 0;
    u64 differences = 0;
};
ListSizes list_sizes(const std::vector<u64>& values);

/// About how many bytes a list of these values takes.
u64 list_size(const std::vector<u64>& values);

/// Bytes of a signed varint of the 64-bit number.
u64 signed_size(u64 value);

/// What a column that is folded, of values or of differences, takes at least: an item in the root
/// of its pattern, and an alphabet of one letter.
inline constexpr u64 kSmallestFolded = 7;
/// The same for a list.
constexpr u64 smallest_list(u64 values) { return 2 + values; }

}  // namespace tracefold
