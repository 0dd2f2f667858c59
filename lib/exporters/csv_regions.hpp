// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exporters/export_report.hpp"
#include "exporters/trace_clock.hpp"
#include "trace/trace_file.hpp"

#include <filesystem>

namespace tracefold {

/// Writes regions.csv, a row for each time that a location was in a region, in the order of their
/// ends. Returns its bytes.
u64 write_regions(TraceFile& file, const TraceClocks& clocks, const std::filesystem::path& folder,
                  ExportReport& report);

/// Writes events.csv, a row for each record, in the columns of Pipit's CSV reader. Returns its
/// bytes.
u64 write_pipit(TraceFile& file, const TraceClocks& clocks, const std::filesystem::path& folder,
                ExportReport& report);

}  // namespace tracefold
