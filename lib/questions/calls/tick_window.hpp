// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/common_clock.hpp"

#include <vector>

namespace tracefold {

/// The clock that people are told the time by. What runs on one node reads one clock, and offsets
/// that were measured between its processes are noise that would turn messages round: those of the
/// node's first rank count for all that are near them. Processes whose offsets differ by more than
/// a tenth of a second, as in different containers or on nodes that the archive calls one, read
/// clocks of their own; without a node everyone does.
CommonClock common_clock(TraceFile& file);

/// Ticks from `begin` to `end`.
struct TickWindow {
    u64 begin = 0;
    u64 end = 0;

    [[nodiscard]] u64 length() const { return end - begin; }
    static void each_field(auto& self, auto& visit) { visit(self.begin, self.end); }
};

/// From the first record of these locations to the last one, since the start of the clock; empty
/// without records. Cost: unwinds the locations. Throws Error(corrupt). Precondition:
/// keeps_every_time() of the file's timing level.
TickWindow recorded_window(TraceFile& file, const CommonClock& clock,
                           const std::vector<u32>& locations);

/// Seconds from the first event of the trace to its last one, on the common clock. Cost: unwinds
/// all locations. Throws Error(corrupt), and Error(usage) if the file does not keep the time of
/// every record.
double run_seconds(TraceFile& file);

}  // namespace tracefold
