// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "model/participants.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// Processes and threads that a trace defines without events. Means and load balances exclude them.
struct RecordingGaps {
    ProcessKind kind{};
    u32 processes = 0;               ///< defined ones
    u64 threads = 0;                 ///< defined ones, of processes with events
    ParticipantList without_events;  ///< processes
    ParticipantList without_mpi;     ///< ranks with events, but without MPI calls
    u64 silent_threads = 0;          ///< threads without events, of processes with events
    double clock_drift = 0;          ///< maximum ClockMap::drift() of the locations with events

    [[nodiscard]] bool empty() const {
        return without_events.empty() && without_mpi.empty() && silent_threads == 0;
    }
};

/// Cost: the locations, their definitions, and the symbols of their scripts. Throws Error(corrupt).
RecordingGaps recording_gaps(TraceFile& file);

/// The subject of a result: times of MPI calls, times of all events, or calls without times.
enum class GapScope : u8 { mpi, events, counts };

/// Returns one sentence per kind of gap: "2 of 4 ranks have no events and are left out: 0,2".
std::vector<std::string> gap_sentences(const RecordingGaps& gaps, GapScope scope);

/// A note if durations would differ by 2 % or more on the common clock; else "".
std::string drift_sentence(const RecordingGaps& gaps);

/// "2 of 4 ranks have no calls of MPI functions (0,2)"; "" if all ranks have some.
std::string silent_ranks(const RecordingGaps& gaps);

/// "rank", "PE", "process", or their plural.
std::string process_word(ProcessKind kind, u64 count = 1);

/// True if the location has events. Cost: O(1).
bool has_events(TraceFile& file, u32 location);

}  // namespace tracefold
