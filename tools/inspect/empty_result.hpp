// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "common/name_filter.hpp"
#include "trace/trace_file.hpp"

#include <string>

namespace tracefold {

/// Warns if no call of the trace has a name that NAMES asks for, with the nearest name that there
/// is; true if it did. Cost: the symbols of the trace.
bool warn_if_nothing_matches(NameFilter& names, TraceFile& file, Console& console);

/// "; the recorder ..." if functions communicated of which there are no records; else empty. Cost:
/// the symbols of the trace.
std::string without_records(TraceFile& file);

}  // namespace tracefold
