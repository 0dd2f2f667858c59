// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exporters/export_team.hpp"
#include "exporters/trace_clock.hpp"

#include <filesystem>

namespace tracefold::inline exporters {

/// Writes io.csv, a line per operation on a file in the order of completion, if there are any.
/// Operations that never complete come last for each location, without bytes and end. Its bytes.
/// Throws Error: corrupt, io.
u64 write_io(ExportTeam& team, const TraceClocks& clocks, const std::filesystem::path& folder);

}  // namespace tracefold::inline exporters
