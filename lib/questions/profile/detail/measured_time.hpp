// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/common_clock.hpp"
#include "questions/calls/tick_window.hpp"

#include <vector>

namespace tracefold {

/// The time in which a location or a process is looked at: ascending, disjoint windows on the
/// common clock.
struct MeasuredTime {
    std::vector<TickWindow> windows;

    /// The union of windows in any order.
    static MeasuredTime of(std::vector<TickWindow> windows);

    [[nodiscard]] bool empty() const { return windows.empty(); }
    /// Precondition: not empty.
    [[nodiscard]] u64 begin() const { return windows.front().begin; }
    [[nodiscard]] u64 end() const { return windows.back().end; }
    [[nodiscard]] u64 length() const;
    /// Measured ticks between two times. Cost: logarithmic in the windows.
    [[nodiscard]] u64 within(u64 from, u64 to) const;
    /// The part between two times; the empty window at `begin` if there is none.
    [[nodiscard]] MeasuredTime clipped(u64 begin, u64 end) const;
    /// The time that is also in `other`.
    [[nodiscard]] MeasuredTime common_with(const MeasuredTime& other) const;

    static void each_field(auto& self, auto& visit) { visit(self.windows); }
    bool operator==(const MeasuredTime&) const = default;
};

/// What a location of a part of a run records.
struct RecordedPart {
    /// From the first record to the last; where MeasurementOnOff records say it, only the time in
    /// which the measurement is on.
    MeasuredTime time;
    bool is_marked = false;     ///< by MeasurementOnOff records
    bool communicates = false;  ///< has calls of MPI, or other communicating ones
    /// False if the first (last) record is that of a communicating call, so that the trace does not
    /// tell how long the program computed before (after) it.
    bool knows_begin = true;
    bool knows_end = true;
};

/// Empty without records. Cost: unwinds the location. Throws Error(corrupt).
RecordedPart recorded_part(TraceFile& file, u32 location, const CommonClock& clock);

/// When the recorder wrote the trace buffer of a location. Cost: unwinds the location if it did.
/// Throws Error(corrupt).
MeasuredTime buffer_flushes(TraceFile& file, u32 location, const ClockMap& clock);

/// The time in which not all locations of a part are recorded.
struct UnknownTime {
    u64 ticks = 0;
    bool is_left_out = false;
};

/// Restricts parts to the time in which all those of unknown begin or end are recorded, unless that
/// is less than half of it.
UnknownTime leave_out_unknown_time(std::vector<RecordedPart>& parts);

}  // namespace tracefold
