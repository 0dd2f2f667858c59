// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_cursor.hpp"

#include <vector>

namespace tracefold::inline fold {

/// The shortest sequence whose endless repetition begins like the first `size` values of a column;
/// nothing if it is not repeated at all or longer than `longest`. A loop over single values is
/// recognised as it stands, however long; otherwise the values are compared, for columns of up to
/// kLongestSearch. Cost of a comparison that fails: about 2 * longest values.
std::vector<u64> period_of(const FoldedSource& source, u32 column, u64 size, u64 longest);

inline constexpr u64 kLongestPeriod = 4096;
inline constexpr u64 kLongestSearch = u64{1} << 20U;

}  // namespace tracefold::inline fold
