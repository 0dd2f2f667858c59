// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/periodic_cursor.hpp"

namespace tracefold {

/// The shortest period of the next `size` numbers of a column (shortest_period()), at least one; 0
/// if it takes more than a million of them to know. Cost: the folded size where the column repeats.
u64 column_period(const PeriodicCursor& cursor, u64 size);

}  // namespace tracefold
