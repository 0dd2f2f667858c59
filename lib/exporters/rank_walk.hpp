// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exporters/receive_clues.hpp"
#include "exporters/trace_clock.hpp"
#include "replay/mpi_thread.hpp"

#include <vector>

namespace tracefold::inline exporters {

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

}  // namespace tracefold::inline exporters
