// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/mpi_function.hpp"
#include "mpi/inferences.hpp"
#include "replay/measure/measurements.hpp"
#include "replay/proof/call_check.hpp"
#include "replay/rank_detail.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

/// Seconds of one repetition: the longest wall time of all ranks, and means over the ranks.
struct RunTimes {
    double wall = 0;
    double communication = 0;
    double computation = 0;
    double delayed = 0;  ///< mean time that a rank waited for a processor
    std::vector<MeasuredCalls> calls;
};

/// Compares the replay with the trace, over all repetitions.
struct Fidelity {
    u64 trace_calls = 0;  ///< that the replay has to issue
    u64 issued_calls = 0;
    u64 trace_bytes = 0;  ///< sent and received, before scaling
    u64 issued_bytes = 0;
    /// Seconds of computation of all ranks in one repetition.
    double asked_computation = 0;
    double achieved_computation = 0;
    /// Largest relative difference between requested and achieved computation of a rank.
    double worst_difference = 0;

    [[nodiscard]] bool counts_match() const {
        return trace_calls == issued_calls && trace_bytes == issued_bytes;
    }
};

/// What issued the calls, besides processors.
struct ReplayMachine {
    std::string mpi;        ///< MPI_Get_library_version(), its first line
    std::string standard;   ///< "4.0", of this library
    std::string date;       ///< UTC, ISO 8601: start of the first repetition
    std::string clock;      ///< "cycle counter" or "CLOCK_MONOTONIC"
    double resolution = 0;  ///< of that clock, in seconds
};

/// The result of a replay; complete on rank 0 only. Times of several repetitions are means.
struct ReplayResult {
    u64 trace = 0;  ///< fingerprint of the file
    u32 ranks = 0;
    bool stopped = false;  ///< by the time limit, before all repetitions
    u32 threads = 0;       ///< locations with MPI calls, over all ranks
    u64 calls = 0;         ///< issued, in one repetition
    u64 counted = 0;       ///< local calls of the trace, not issued
    u64 left_out = 0;
    std::map<std::string, u64> left_out_calls;  ///< the same, by function
    /// Calls of the replayed part whose records contain communication, and the issued ones.
    u64 communicating = 0;
    u64 issued_communicating = 0;
    /// The whole trace is replayed and has message records, in a call or not.
    bool has_messages = false;
    /// Count of each inference.
    std::vector<u64> inferences = std::vector<u64>(kInferences);
    std::vector<RunTimes> runs;  ///< by repetition
    bool has_recorded_times = false;
    TimeSpreads recorded;
    TimeSpreads replayed;
    std::vector<CallTotals> totals;  ///< called functions, in the order of MpiFunction
    u64 buffer_bytes = 0;            ///< maximum over the ranks
    Fidelity fidelity;
    ReplayMachine machine;
    Measurements measurements;
    std::optional<ProofResult> proof;  ///< over all repetitions, if requested

    /// The trace has communication, but none was issued: nothing is proven.
    [[nodiscard]] bool issues_nothing() const {
        return issued_communicating == 0 && (communicating != 0 || has_messages);
    }
};

}  // namespace tracefold
