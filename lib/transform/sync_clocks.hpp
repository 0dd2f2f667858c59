// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/parallel.hpp"
#include "transform/clocks/clock_walk.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// A change of the time between two consecutive events of a location, in ticks.
struct IntervalChange {
    u64 before = 0;
    u64 after = 0;
    u32 location = 0;
    u64 time = 0;  ///< of the second event, on the common clock, uncorrected

    [[nodiscard]] u64 ticks() const { return after > before ? after - before : before - after; }
};

/// The effect of corrections on the events.
struct ClockDistortion {
    u64 events = 0;
    u64 moved = 0;         ///< events whose time differs from that by the recorded offsets
    u64 largest_move = 0;  ///< ticks
    u64 bent = 0;          ///< intervals changed by more than one part in kSlope
    IntervalChange largest;
};

/// The result of a clock synchronisation. Times in ticks.
struct SyncReport {
    u64 file_bytes = 0;  ///< of the output
    TickRate rate;
    u64 latency = 0;    ///< minimum latency of a message
    ClockOrder before;  ///< by the recorded clock offsets
    ClockOrder after;
    u64 corners = 0;  ///< of the corrections of all processes: their storage
    ClockDistortion distortion;
    std::string largest_at;  ///< "rank 3": place of the interval that changed most
    u64 largest_after = 0;   ///< its end, from the begin of the trace
    std::vector<std::string> dropped_files;

    [[nodiscard]] double seconds(u64 ticks) const { return rate.seconds(ticks); }
};

struct SyncOutput {
    std::string path;
    int level = 1;  ///< of zstd
    bool force = false;
    double latency = 0;     ///< minimum seconds of any communication; at least one tick
    ProgressSink progress;  ///< called with events written
};

/// Writes the trace as a folded file with times of a single clock: no message is received before it
/// was sent, and no collective operation ends before all begins that it needs;
/// docs/internals/clocks.md has the method. Throws Error: usage if the file does not have the times
/// of every record or has no MPI ranks; io; corrupt. Cost: a walk like check_replay(), three more
/// if the clocks do not agree, and folding. Memory: the folded size, outstanding operations, and
/// all corners.
SyncReport sync_clocks(TraceFile& file, const SyncOutput& output);

}  // namespace tracefold
