// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "profile/thread_efficiency.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// What an accelerator, all its streams together, does in the span of the process that uses it.
/// Times in ticks; what is left of the span it is idle.
struct DeviceTimes {
    std::string name;  ///< of the location group of its streams
    u32 process = 0;   ///< number; kNone if no process is known to use it
    u32 streams = 0;
    u64 span = 0;
    u64 kernels = 0;  ///< while at least one stream runs a kernel
    u64 copies = 0;   ///< while streams copy and none runs a kernel
};

/// All accelerators, those of a process after each other. Streams are of one accelerator if they
/// are of one location group; where recorders put them into the group of their process, there is
/// one accelerator per process, unless its streams only manage memory of the host. Cost: unwinds
/// the streams. Throws Error(corrupt).
std::vector<DeviceTimes> device_times(TraceFile& file, const std::vector<ProcessSpan>& processes);

}  // namespace tracefold
