// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "forecast/prediction/rank_operations.hpp"
#include "forecast/prediction/scenario_clocks.hpp"
#include "forecast/prediction/walk_request.hpp"

#include <span>
#include <vector>

namespace tracefold {

/// What a walk tells of a program.
struct WalkResult {
    /// Of the rank that ends last, by scenario.
    struct End {
        Clock clock;
        u32 rank = 0;
    };
    std::vector<End> ends;
    std::vector<PathCost> path;     ///< in the first scenario; its times add up to the run time
    std::vector<DelayCost> delays;  ///< with WalkRequest::finds_delays
    i64 waited = 0;                 ///< picoseconds of all waits, the same
    double recorded_seconds = 0;    ///< between MPI_Init and MPI_Finalize of all ranks
    UnmodelledByKind unmodelled;
    UnmodelledByKind held_order;  ///< receives with WalkRequest::finds_any_source
    u64 calls = 0;
    u64 messages = 0;
};

/// When all ranks are at their end, whose operations and clocks these are; `messages` is left to
/// the caller. Throws Error(unsupported) if the run would take longer than times can be.
WalkResult walk_result(std::span<RankOperations* const> programs, TickRate rate,
                       ScenarioClocks& clocks);

/// A rank that has operations left when nothing can happen any more.
struct StuckRank {
    u32 rank = 0;
    bool has_threads = false;  ///< several of its threads call MPI
};
/// Throws Error: corrupt, or unsupported if large messages that wait for their receives are to
/// blame. Precondition: there are some.
[[noreturn]] void refuse_stuck_ranks(std::span<const StuckRank> stuck, u64 rendezvous);

/// Walks the operations of all ranks forward, each as soon as what it needs is there. Messages and
/// their receives go together as they were recorded. The survey must be that of the file; the tree
/// gets its call paths. Throws Error: corrupt; unsupported if ranks wait for each other because
/// large messages wait for their receives. Cost: two readings of all records, and for each message
/// the scenarios. Memory: what is outstanding.
WalkResult walk_timing(TraceFile& file, const CommunicationSurvey& survey,
                       const WalkRequest& request, CallTree& tree);

}  // namespace tracefold
