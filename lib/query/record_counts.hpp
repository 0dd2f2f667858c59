// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/execution_counts.hpp"
#include "model/event_table.hpp"
#include "trace/trace_file.hpp"

#include <initializer_list>
#include <vector>

namespace tracefold {

/// How many event records of each type a structure holds, by EventType, counted in folded form.
/// Cost: symbols, plus locations x symbols with requests.
std::vector<u64> record_counts(const Structure& structure, ExecutionCounts& counts);

/// True if any location has a record of one of these types. Cost: the symbols.
bool records_any(const Structure& structure, std::initializer_list<EventType> types);

/// True if this location has. Cost: its symbols.
bool records_any(TraceFile& file, u32 location, std::initializer_list<EventType> types);

}  // namespace tracefold
