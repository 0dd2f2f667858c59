// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"

#include <vector>

namespace tracefold {

/// Returns a number for each location, equal for those that map a local id of a kind of definition
/// to the same global id: recorders give each location its own mapping tables, most of which differ
/// in some entries only. The converse need not hold. Cost: some nanoseconds per location, and a
/// pass over the tables of each family of locations. Precondition: is_mapped(kind). Throws
/// Error(corrupt).
std::vector<u32> local_id_classes(TraceFile& file, FieldKind kind, u64 raw);

}  // namespace tracefold
