// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "prediction/rank_operations.hpp"
#include "prediction/scenario_clocks.hpp"

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

}  // namespace tracefold
