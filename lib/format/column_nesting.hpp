// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "io/bytes.hpp"
#include "model/structure.hpp"

namespace tracefold {

/// Refuses columns that a cursor cannot walk with bounded effort: counts may be folded columns with
/// counts of their own, and since columns are shared, a few bytes could nest them deeply or
/// describe a tree of any size. `limit` bounds the nodes of the tree below one column.
/// Precondition: columns refer to columns before them. Throws Error(corrupt) by way of `in`.
void check_nesting(const Structure& structure, u64 limit, const ByteReader& in);

}  // namespace tracefold
