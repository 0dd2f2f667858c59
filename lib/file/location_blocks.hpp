// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "file/trace_file.hpp"
#include "model/definition_index.hpp"

#include <functional>
#include <vector>

namespace tracefold {

/// The locations (as indices, rising) that process `rank` of `size` works on: location groups in
/// the order of their first location, cut into blocks of about equal numbers of declared events.
/// All locations of a group are in one block; a block may be empty.
std::vector<u32> location_block(const std::vector<LocationDefinition>& locations, int rank,
                                int size);

/// Which of `processes` does each piece of some work: neighbours, in shares of which that of
/// process 0 is `first_share` of all and the others are equal. A piece belongs to the process in
/// whose share its middle lies.
std::vector<int> share_out(const std::vector<double>& work, int processes, double first_share);

/// How many threads of a process that works alone pay for these locations: `wanted`, or if that is
/// 0 one per core where there are events enough; at most one for each location, at least one.
u32 useful_threads(const std::vector<LocationDefinition>& locations, u32 wanted);

/// Reads all that a file holds once: unwinds the local definitions and the events of every location
/// with their times, whether they are MPI processes or not, and reads the files carried along.
/// Memory: the times of one location a thread, or one carried file. Cost: that of giving the
/// archive back without writing it. `threads`: among which the locations are shared out; 0 for one
/// per core where there are events enough. `before`: what one of them does before it reads
/// locations, as long as others do so already; must not throw. Throws Error(corrupt) with the first
/// thing that does not fit.
TRACEFOLD_API void check_contents(TraceFile& file, u32 threads = 1,
                                  const std::function<void()>& before = {});

}  // namespace tracefold
