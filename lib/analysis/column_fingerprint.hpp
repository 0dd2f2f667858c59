// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/structure.hpp"

namespace tracefold {

/// A number that columns with the same folded content share, whatever their ids are in their files;
/// others differ but for odds of 2^-64. Cost: linear in the column and what it refers to.
u64 column_fingerprint(const std::vector<Pattern>& patterns, const std::vector<Column>& columns,
                       u32 column);

}  // namespace tracefold
