// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_cursor.hpp"

#include <functional>
#include <span>
#include <vector>

namespace tracefold {

/// Runs of several columns side by side: as many numbers of each, `times` times over. Returns
/// whether to go on.
using RowSink = std::function<bool(std::span<const ValueRun> runs, u64 times)>;

/// Passes the first `size` numbers of columns that go together (peer, communicator, bytes), each
/// combination as often as it occurs. What repeats in all columns at once is walked a few times
/// only, whatever the lengths of their periods are, so that a number which follows another one
/// anywhere does so in what is passed; else they come in order. Cost: the folded size where columns
/// repeat, the number of runs where they do not. Throws Error(corrupt).
void visit_rows(std::vector<ColumnCursor> columns, u64 size, const RowSink& sink);

}  // namespace tracefold
