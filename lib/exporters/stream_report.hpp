// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exporters/export_report.hpp"
#include "schedules/call_fates.hpp"
#include "trace/trace_file.hpp"

namespace tracefold::inline exporters {

/// Adds what became of calls and records to the report of a format that was written with streams
/// of the calls of ranks.
void finish_report(TraceFile& file, const CallFates& fates, ExportReport& report);

}  // namespace tracefold::inline exporters
