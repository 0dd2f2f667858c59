// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exporters/export_team.hpp"
#include "exporters/trace_clock.hpp"
#include "names/participant_names.hpp"

#include <filesystem>
#include <string>

namespace tracefold {

/// The rank and the thread of a location as fields of a table, each with a comma behind it; without
/// a rank its place among the definitions.
std::string place_fields(const ParticipantNames& names, u32 location);

/// Writes regions.csv, a row for each time that a location was in a region, in the order of their
/// ends. Copies of accelerators that are no regions are rows, too. Returns its bytes.
u64 write_regions(ExportTeam& team, const TraceClocks& clocks, const std::filesystem::path& folder);

/// Writes events.csv, a row for each record, in the columns of Pipit's CSV reader. Returns its
/// bytes.
u64 write_pipit(ExportTeam& team, const TraceClocks& clocks, const std::filesystem::path& folder);

/// Writes io.csv, a line per operation on a file in the order of completion, if there are any.
/// Operations that never complete come last for each location, without bytes and end. Its bytes.
/// Throws Error: corrupt, io.
u64 write_io(ExportTeam& team, const TraceClocks& clocks, const std::filesystem::path& folder);

}  // namespace tracefold
