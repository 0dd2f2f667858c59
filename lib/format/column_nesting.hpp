// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "io/bytes.hpp"
#include "model/structure.hpp"

#include <vector>

namespace tracefold::inline format {

/// Nodes that a column may have below it, besides some for each byte of the section.
constexpr u64 most_nodes(u64 section_size) { return (u64{1} << 22U) + 64 * section_size; }

/// Refuses columns that a cursor cannot walk with bounded effort: counts may be folded columns with
/// counts of their own, and since columns are shared, a few bytes could nest them deeply or
/// describe a tree of any size. `limit` bounds the nodes of the tree below one column; the first
/// `checked` columns were found sound by themselves, and others may refer to the largest of them.
/// Precondition: columns refer to columns before them. Throws Error(corrupt) by way of `in`.
void check_nesting(const std::vector<Pattern>& patterns, const std::vector<Column>& columns,
                   u64 limit, const ByteReader& in, std::size_t checked = 0);

}  // namespace tracefold::inline format
