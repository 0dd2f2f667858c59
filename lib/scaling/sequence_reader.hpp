// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scaling/call_sequence.hpp"
#include "trace/trace_file.hpp"

namespace tracefold::inline scaling {

/// The events of a location as calls, whose peers are relative. Without clock: without ticks.
/// Throws Error(corrupt). Cost: linear in the events, which are all in memory.
CallSequence read_events(TraceFile& file, u32 location, CallTypes& kinds);

/// The definitions of a location but for clock offsets, which are about times that were measured.
CallSequence read_local_definitions(TraceFile& file, u32 location, CallTypes& kinds);

/// The global definitions. Strings that differ by numbers only are of one kind.
CallSequence read_global_definitions(TraceFile& file, CallTypes& kinds);

/// Appends the definition that a call of read_local_definitions() or read_global_definitions()
/// stands for.
void append_definition(const CallType& kind, std::span<const u64> values, RecordBatch& out);

}  // namespace tracefold::inline scaling
