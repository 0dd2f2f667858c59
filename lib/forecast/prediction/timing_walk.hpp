// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "forecast/prediction/rank_operations.hpp"
#include "forecast/prediction/scenario_clocks.hpp"
#include "forecast/prediction/walk_request.hpp"

#include <span>
#include <vector>

namespace tracefold {

struct WalkResult {
    /// The rank that ends last, by scenario.
    struct End {
        Clock clock;
        u32 rank = 0;
    };
    std::vector<End> ends;
    std::vector<PathCost> path;        ///< in the first scenario; sums up to the run time
    std::vector<DelayCost> delays;     ///< with WalkRequest::finds_delays
    i64 waited = 0;                    ///< picoseconds over all waits, with finds_delays
    double recorded_seconds = 0;       ///< from MPI_Init to MPI_Finalize over all ranks
    double mean_recorded_seconds = 0;  ///< mean of the ranks
    UnmodelledByKind unmodelled;
    UnmodelledCalls empty_matrices;  ///< without WalkRequest::fills_matrices
    UnmodelledByKind held_order;     ///< wildcard receives, with WalkRequest::finds_any_source
    u64 calls = 0;
    /// Sent messages.
    struct Traffic {
        u64 messages = 0;
        u64 bytes = 0;
    };
    std::vector<Traffic> traffic;  ///< by level of the network
};

/// The result after all ranks have ended; the caller sets `traffic`. Throws Error(unsupported) if
/// the run time exceeds the range of times.
WalkResult walk_result(std::span<RankOperations* const> programs, TickRate rate,
                       ScenarioClocks& clocks);

/// A rank with remaining operations at a deadlock.
struct StuckRank {
    u32 rank = 0;
    bool has_threads = false;  ///< several of its threads call MPI
};
/// Throws Error: corrupt, or unsupported if the cause is large messages that wait for their
/// receives. Precondition: `stuck` is not empty.
[[noreturn]] void refuse_stuck_ranks(std::span<const StuckRank> stuck, u64 rendezvous);

/// Simulates all ranks, executing each operation as soon as its inputs are available. Messages
/// match receives as recorded. `survey`: of the file; adds call paths to the tree. Throws Error:
/// corrupt; unsupported for a deadlock because large messages wait for their receives. Cost: reads
/// all records twice; scenarios per message. Memory: outstanding operations.
WalkResult walk_timing(TraceFile& file, const CommunicationSurvey& survey,
                       const WalkRequest& request, CallTree& tree);

}  // namespace tracefold
