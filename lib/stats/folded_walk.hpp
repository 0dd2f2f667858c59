// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/execution_counts.hpp"
#include "stats/row_chooser.hpp"
#include "stats/sums.hpp"
#include "trace/trace_file.hpp"

#include <vector>

namespace tracefold {

/// True if every message and operation was recorded within a call of its own, and none is of a
/// file, so that the folded form alone tells which function it belongs to. Cost: the symbols.
bool transfers_stand_in_calls(TraceFile& file);

/// Passes calls and bytes of the given locations over calls and over ranks, as CallWalk does, but
/// from the folded form: no times, no iterations. Cost: that of visit_transfers() and locations x
/// symbols. Throws Error: corrupt, unsupported. Preconditions: transfers_stand_in_calls(); rows are
/// not those of call paths.
void walk_folded(TraceFile& file, ExecutionCounts& counts, const std::vector<u32>& locations,
                 RowChooser& rows, SampleSink& sink);

}  // namespace tracefold
