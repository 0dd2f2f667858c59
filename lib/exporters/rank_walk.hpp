// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exporters/trace_clock.hpp"
#include "replay/mpi_thread.hpp"
#include "replay/replay_patch.hpp"

#include <unordered_map>
#include <vector>

namespace tracefold {

/// What all ranks together say about receives whose own calls do not: those of MPI_Mrecv and
/// MPI_Imrecv, which leave no record, and those that another thread completes than the one that
/// posted them. Cost: nothing where there are none; else a check_replay(). Memory: what was found.
class ReceiveClues {
  public:
    /// `threads`: as for check_replay(). Throws Error(corrupt).
    ReceiveClues(TraceFile& file, u32 threads);

    /// Null if the location's records say it all. Messages and collective operations without a
    /// partner are not left out: they happened all the same.
    [[nodiscard]] const ReplayPatch* of(u32 location) const;

  private:
    std::unordered_map<u32, ReplayPatch> by_location_;
};

/// The MPI calls of a rank in the order in which they begin; without times, thread after thread.
/// Memory: the readers of its threads.
class RankWalk {
  public:
    struct Thread : MpiThread {
        TraceClock clock;
    };

    /// All must outlive the walk. Throws Error(corrupt).
    RankWalk(TraceFile& file, const TraceClocks& clocks, const ReceiveClues& clues, u32 rank);

    [[nodiscard]] std::size_t thread_count() const { return threads_.size(); }
    /// By their numbers.
    [[nodiscard]] const Thread& thread(u32 number) const { return threads_[number]; }
    /// The thread that makes the next call, which is valid until this is called again; null at the
    /// end. Throws Error(corrupt).
    const Thread* next();

  private:
    std::vector<Thread> threads_;
    Thread* last_ = nullptr;  ///< whose call is at hand
    bool has_times_;
};

}  // namespace tracefold
