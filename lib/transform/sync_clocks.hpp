// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/parallel.hpp"
#include "transform/clocks/clock_walk.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// A change of the time between two events of a location that follow each other, in ticks.
struct IntervalChange {
    u64 before = 0;
    u64 after = 0;
    u32 location = 0;
    u64 time = 0;  ///< of the second event, on the common clock, not corrected

    [[nodiscard]] u64 ticks() const { return after > before ? after - before : before - after; }
};

/// What the corrections did to the events.
struct ClockDistortion {
    u64 events = 0;
    u64 moved = 0;         ///< events that have other times than by the recorded offsets
    u64 largest_move = 0;  ///< ticks
    u64 bent = 0;          ///< intervals that changed by more than one part in kSlope
    IntervalChange largest;
};

/// What became of the clocks of a trace. Times in ticks.
struct SyncReport {
    u64 file_bytes = 0;  ///< of the output
    TickRate rate;
    u64 latency = 0;    ///< that every message takes at least
    ClockOrder before;  ///< by the recorded clock offsets
    ClockOrder after;
    u64 corners = 0;  ///< of the corrections of all processes: what they take to store
    ClockDistortion distortion;
    std::string largest_at;  ///< "rank 3": where the interval is that changed most
    u64 largest_after = 0;   ///< when it ends, from the beginning of the trace
    std::vector<std::string> dropped_files;

    [[nodiscard]] double seconds(u64 ticks) const { return rate.seconds(ticks); }
};

struct SyncOutput {
    std::string path;
    int level = 1;  ///< of zstd
    bool force = false;
    double latency = 0;     ///< seconds that everything takes at least; at least one tick
    ProgressSink progress;  ///< called with events written
};

/// Writes the trace as a folded file with times of one clock, by which no message is received
/// before it was sent, and no collective operation ends before all began that it needs;
/// docs/internals/clocks.md tells how. Throws Error: usage if the file does not keep the times of
/// every record or has no MPI ranks; io; corrupt. Cost: a walk through the calls of all ranks, as
/// check_replay(), three more if the clocks do not agree, and folding. Memory: the folded size,
/// what is outstanding at a time, and the corners of the corrections.
SyncReport sync_clocks(TraceFile& file, const SyncOutput& output);

}  // namespace tracefold
