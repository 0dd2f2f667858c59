// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exporters/export_format.hpp"

namespace tracefold::inline exporters {

// The functions behind export_formats(), one file each.
ExportReport write_c(TraceFile& file, const std::string& output, const ExportOptions& options);
ExportReport write_simgrid_ti(TraceFile& file, const std::string& output,
                              const ExportOptions& options);
ExportReport write_goal(TraceFile& file, const std::string& output, const ExportOptions& options);
ExportReport write_dimemas(TraceFile& file, const std::string& output,
                           const ExportOptions& options);
ExportReport write_dumpi(TraceFile& file, const std::string& output, const ExportOptions& options);
ExportReport write_chakra(TraceFile& file, const std::string& output, const ExportOptions& options);
ExportReport write_csv(TraceFile& file, const std::string& output, const ExportOptions& options);
ExportReport write_chrome(TraceFile& file, const std::string& output, const ExportOptions& options);
ExportReport write_paraver(TraceFile& file, const std::string& output,
                           const ExportOptions& options);
ExportReport write_jsonl(TraceFile& file, const std::string& output, const ExportOptions& options);

}  // namespace tracefold::inline exporters
