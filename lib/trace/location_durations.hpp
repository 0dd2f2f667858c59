// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/timing_model.hpp"
#include "trace/trace_file.hpp"

namespace tracefold::inline trace {

/// The durations of one location, from the times that the file keeps. Cost: unwinds the location.
/// Throws Error(corrupt). Precondition: keeps_every_time() of the file's timing level.
TimingModel durations_of_location(TraceFile& file, u32 location);

}  // namespace tracefold::inline trace
