// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/structure.hpp"

namespace tracefold::inline analysis {

/// A number that columns with the same numbers share, whatever their ids are in their files, and
/// whether these have them folded or as lists; others differ but for odds of 2^-64. Folded columns
/// of more than 2^20 numbers share it if they are folded alike. Cost: up to as many numbers, and
/// what the column refers to.
u64 column_fingerprint(const std::vector<Pattern>& patterns, const std::vector<Column>& columns,
                       u32 column);

}  // namespace tracefold::inline analysis
