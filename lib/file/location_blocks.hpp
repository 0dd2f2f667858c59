// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "file/trace_file.hpp"
#include "model/definition_index.hpp"

#include <functional>
#include <vector>

namespace tracefold {

/// Returns the locations (indices, ascending) of process `rank` of `size`: location groups in the
/// order of their first location, partitioned into blocks of about equal numbers of declared
/// events. All locations of a group are in one block; a block may be empty.
std::vector<u32> location_block(const std::vector<LocationDefinition>& locations, int rank,
                                int size);

/// Assigns contiguous pieces of work to `processes`: process 0 gets the share `first_share`, the
/// others equal shares. A piece belongs to the process whose share contains its middle.
std::vector<int> share_out(const std::vector<double>& work, int processes, double first_share);

/// Returns the useful number of threads of a single process for these locations: `wanted`, or if
/// that is 0 one per core for sufficiently many events; between one and the number of locations.
u32 useful_threads(const std::vector<LocationDefinition>& locations, u32 wanted);

/// Reads the whole content of a file: unwinds the local definitions and the events of every
/// location with their times, and reads the files stored verbatim. Memory: the times of one
/// location per thread, or one stored file. Cost: that of restoring the archive without writing it.
/// `threads` share the locations; 0 for one per core if there are enough events. `before` is called
/// by one thread before it reads locations, while others already do; must not throw. Throws
/// Error(corrupt) with the first inconsistency.
TRACEFOLD_API void check_contents(TraceFile& file, u32 threads = 1,
                                  const std::function<void()>& before = {});

}  // namespace tracefold
