// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "fold/structure_index.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tracefold {

/// The display names of all symbols of events; some occur more than once.
std::vector<std::string> symbol_names(TraceFile& file);

/// The string that names the program of a location; none if it was not recorded. Cost: the symbols
/// of its script.
std::optional<u64> program_string(TraceFile& file, ExecutionCounts& counts, u32 location);

/// The program's file name without folders; empty if no location recorded it.
std::string program_name(TraceFile& file);

}  // namespace tracefold
