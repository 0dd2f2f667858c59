// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/inferences.hpp"
#include "replay/mpi_function.hpp"
#include "replay_mpi/proof/call_check.hpp"

#include <array>
#include <optional>
#include <vector>

namespace tracefold {

/// A number per rank, summed up.
struct Spread {
    double minimum = 0;
    double mean = 0;
    double maximum = 0;
    double deviation = 0;  ///< standard deviation
};

/// Calls of one function by all ranks; times in seconds.
struct CallTotals {
    MpiFunction function = MpiFunction::other;
    u64 calls = 0;
    u64 sent = 0;      ///< bytes, as OTF2 counts them
    u64 received = 0;  ///< bytes
    double recorded = 0;
    double replayed = 0;
};

/// Seconds from the first to the last call, and what they were spent on.
struct TimeSpreads {
    Spread wall;
    Spread communication;
    Spread computation;
};

/// What came out of a replay; complete on rank 0 only. Times of several repetitions are means.
struct ReplayResult {
    u32 ranks = 0;
    u32 threads = 0;  ///< locations with MPI calls, all ranks together
    u64 calls = 0;    ///< issued, in one repetition
    u64 counted = 0;  ///< of the trace, but not issued since they reach no other process
    u64 left_out = 0;
    /// How often each inference was made.
    std::vector<u64> inferences = std::vector<u64>(kInferences);
    std::vector<double> walls;  ///< of every repetition: first start to last end
    bool has_recorded_times = false;
    TimeSpreads recorded;
    TimeSpreads replayed;
    std::vector<CallTotals> totals;    ///< functions that were called, in the order of MpiFunction
    u64 buffer_bytes = 0;              ///< largest of all ranks
    std::optional<ProofResult> proof;  ///< of all repetitions, if asked for
};

}  // namespace tracefold
