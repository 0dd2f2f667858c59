// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "query/call_names.hpp"
#include "query/io_crossings.hpp"
#include "stats/row_chooser.hpp"
#include "stats/sample.hpp"
#include "trace/call_reader.hpp"

namespace tracefold {

/// Passes the iterations of a location's outermost loops as if each was a call: its time is from
/// its first record to its last, its bytes are those of all messages and operations posted in it.
/// A loop is named by the functions called in it, by their names; if a location has several with
/// the same functions they are "..., loop 2" and so on. `matches` chooses among these functions:
/// loops without any of them are left out. Cost: unwinds the location. Throws Error(corrupt).
/// Precondition: the location has events. Returns the reads and writes whose size is not recorded,
/// which are in no sum.
u64 walk_loops(TraceFile& file, CallNames& names, u32 location, RowChooser& rows,
               const IoCrossings& crossings, SampleSink& sink);

}  // namespace tracefold
