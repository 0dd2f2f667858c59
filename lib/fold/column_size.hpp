// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/structure_pool.hpp"

namespace tracefold {

/// About how many bytes a column and what it refers to take in the file before compression. Used
/// to choose between forms. Cost: linear in the column.
u64 column_size(const StructurePool& pool, u32 column);

/// Bytes of a signed varint of the 64-bit number.
u64 signed_size(u64 value);

}  // namespace tracefold
