// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "pipeline/trace_file.hpp"

#include <vector>

namespace tracefold {

/// Ticks of all locations together, by symbol.
struct CallTimes {
    std::vector<u64> inside;  ///< from the first record of a call to its last
    std::vector<u64> before;  ///< from the record before the call to its first
    u64 total = 0;            ///< of both, all symbols
};

/// From the durations that a file keeps. Cost: the folded size. Precondition: the timing level is
/// histogram.
CallTimes kept_call_times(const TraceFile& file);

/// From the times of every record. Cost: unwinds the locations. Throws Error(corrupt).
/// Precondition: keeps_every_time() of the file's timing level.
CallTimes unwound_call_times(TraceFile& file);

}  // namespace tracefold
