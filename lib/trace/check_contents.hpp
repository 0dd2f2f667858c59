// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/export.hpp"
#include "trace/trace_file.hpp"

#include <functional>

namespace tracefold {

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
