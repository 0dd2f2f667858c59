// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/mpi_function.hpp"
#include "mpi/inferences.hpp"
#include "replay/measure/measurements.hpp"
#include "replay/proof/call_check.hpp"
#include "replay/rank_detail.hpp"

#include <array>
#include <optional>
#include <vector>

namespace tracefold {

/// Seconds of one repetition: the longest wall time of all ranks, and the means over the ranks.
struct RunTimes {
    double wall = 0;
    double communication = 0;
    double computation = 0;
};

/// What was done beside what the trace says, in all repetitions.
struct Fidelity {
    u64 trace_calls = 0;  ///< that the replay should issue
    u64 issued_calls = 0;
    u64 trace_bytes = 0;  ///< sent and received, before scaling
    u64 issued_bytes = 0;
    /// Seconds of computation of all ranks in one repetition.
    double asked_computation = 0;
    double achieved_computation = 0;
    /// By which part of what was asked the computation of a rank differs, at most.
    double worst_difference = 0;

    [[nodiscard]] bool counts_match() const {
        return trace_calls == issued_calls && trace_bytes == issued_bytes;
    }
};

/// What came out of a replay; complete on rank 0 only. Times of several repetitions are means.
struct ReplayResult {
    u64 trace = 0;  ///< the fingerprint of its file
    u32 ranks = 0;
    u32 threads = 0;  ///< locations with MPI calls, all ranks together
    u64 calls = 0;    ///< issued, in one repetition
    u64 counted = 0;  ///< of the trace, but not issued since they reach no other process
    u64 left_out = 0;
    /// Calls of the replayed part whose records tell of communication, and those that were issued.
    u64 communicating = 0;
    u64 issued_communicating = 0;
    /// The whole trace is replayed, and has records of messages, be they of a call or not.
    bool has_messages = false;
    /// How often each inference was made.
    std::vector<u64> inferences = std::vector<u64>(kInferences);
    std::vector<RunTimes> runs;  ///< every repetition
    bool has_recorded_times = false;
    TimeSpreads recorded;
    TimeSpreads replayed;
    std::vector<CallTotals> totals;  ///< functions that were called, in the order of MpiFunction
    u64 buffer_bytes = 0;            ///< largest of all ranks
    Fidelity fidelity;
    Measurements measurements;
    std::optional<ProofResult> proof;  ///< of all repetitions, if asked for

    /// There is communication in the trace, but none of it was issued: nothing is proven.
    [[nodiscard]] bool issues_nothing() const {
        return issued_communicating == 0 && (communicating != 0 || has_messages);
    }
};

}  // namespace tracefold
