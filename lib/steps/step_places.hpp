// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "steps/location_steps.hpp"
#include "trace/trace_file.hpp"

#include <vector>

namespace tracefold {

/// Between which calls of a location a step begins, or ends without another one.
struct StepBorder {
    u64 behind = 0;  ///< the number of calls up to the last operation before it
    u64 before = 0;  ///< the call of the first operation behind it
    bool ends = false;
};

/// The steps of a location. Of the calls between the operations of two steps, those belong to the
/// later one that also stand before the first step: where a program computes, then exchanges, the
/// computation before the first exchange tells it. Precondition: the last border ends, the first
/// does not. Cost: unwinds the location. Throws Error(corrupt).
LocationSteps place_steps(TraceFile& file, u32 location, const std::vector<StepBorder>& borders);

/// The iterations of a loop, a node of the location's script, over the whole run. Cost: as above.
LocationSteps steps_of_loop(TraceFile& file, u32 location, u32 loop);

}  // namespace tracefold
