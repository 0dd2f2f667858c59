// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/progress_sink.hpp"
#include "fold/timing_store.hpp"
#include "trace/trace_file.hpp"
#include "trace/trace_source.hpp"

namespace tracefold {

/// Throws Error(mismatch) unless the location still has those of its files that it had when it was
/// folded.
void check_files(TraceFile& file, const TraceSource& source, u32 location);

/// Regenerates the records of one location and compares them with their source: types, all fields,
/// attributes and, with exact timing, ticks. Throws Error(mismatch) at the first difference, naming
/// it. Memory: a batch of each side.
void verify_location(TraceFile& file, TraceSource& source, u32 location,
                     const ProgressSink& progress);

/// The same for the global definitions.
void verify_definitions(TraceFile& file, TraceSource& source);
/// The same for the durations of a file that keeps some.
void verify_durations(TraceFile& file, const TimingStore& folded);

}  // namespace tracefold
