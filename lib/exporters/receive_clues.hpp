// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/replay_patch.hpp"
#include "trace/trace_file.hpp"

#include <unordered_map>

namespace tracefold::inline exporters {

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
    [[nodiscard]] u64 count() const { return count_; }

  private:
    std::unordered_map<u32, ReplayPatch> by_location_;
    u64 count_ = 0;
};

}  // namespace tracefold::inline exporters
