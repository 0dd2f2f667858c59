// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/rank_program.hpp"

#include <optional>

namespace tracefold {

/// A call, and when it is to begin and end. The MPI call has the recorded times, if the program
/// was asked for these.
struct PacedCall {
    MpiCall mpi_call;
    u64 begin = 0;  ///< ticks of the times that the replay goes by
    u64 end = 0;
};

/// The calls of one location with the times that a replay goes by. Throws Error(corrupt).
class PacedProgram {
  public:
    /// `file` and `patch` (null: nothing was inferred) must outlive the program. `recorded`:
    /// MPI calls have the recorded times, whatever those are that the replay goes by.
    PacedProgram(TraceFile& file, u32 location, const ReplayPatch* patch, Times paced,
                 bool recorded);

    /// Reads the next call; false at the end.
    bool next(PacedCall& call);

  private:
    RankProgram program_;
    std::optional<RankProgram> paced_;  ///< the same calls at other times than recorded
};

}  // namespace tracefold
