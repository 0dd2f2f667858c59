// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/common_clock.hpp"

#include <algorithm>
#include <vector>

namespace tracefold {

/// The clock that displayed times refer to. Processes of a node share its clock: differences of
/// their measured offsets are noise that would reverse messages, so offsets of the node's first
/// rank apply to all processes near them. Processes whose offsets differ by more than a tenth of a
/// second (containers, several nodes of one name) keep their own offsets, as do processes without a
/// node.
CommonClock common_clock(TraceFile& file);

/// Ticks from `begin` to `end`.
struct TickWindow {
    u64 begin = 0;
    u64 end = 0;

    [[nodiscard]] u64 length() const { return end - begin; }
    /// Ticks of it between two times.
    [[nodiscard]] u64 within(u64 from, u64 to) const {
        const u64 first = std::max(begin, from);
        const u64 last = std::min(end, to);
        return last > first ? last - first : 0;
    }
    static void each_field(auto& self, auto& visit) { visit(self.begin, self.end); }
    bool operator==(const TickWindow&) const = default;
};

/// From the first record of these locations to the last, relative to the start of the clock; empty
/// without records. Cost: unwinds the locations. Throws Error(corrupt). Precondition:
/// keeps_every_time() of the file's timing level.
TickWindow recorded_window(TraceFile& file, const CommonClock& clock,
                           const std::vector<u32>& locations);

/// Seconds from the first to the last event of the trace on the common clock. Cost: unwinds all
/// locations. Throws Error(corrupt), and Error(usage) if the file does not keep every time.
double run_seconds(TraceFile& file);

}  // namespace tracefold
