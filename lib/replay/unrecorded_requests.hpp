// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/mpi_call.hpp"

#include <deque>
#include <vector>

namespace tracefold {

/// The requests of non-blocking collectives that left no record, and so no request either. Each
/// gets one of its own, and is taken to complete in the next call that waits: MPI_Wait and
/// MPI_Waitany without a record complete the oldest one, MPI_Waitall and MPI_Waitsome all of them.
/// What nobody waits for completes at the end. Of one location. Memory: what is outstanding.
class UnrecordedRequests {
  public:
    /// True if apply() would change the call.
    [[nodiscard]] bool concerns(const MpiCall& call, std::span<const Action> actions) const;
    /// For every call in order that is concerned.
    void apply(const MpiCall& call, std::vector<Action>& actions);

  private:
    struct Outstanding {
        u64 request = kNoRequest;
        CollectivePart part;
    };

    [[nodiscard]] static bool posts(std::span<const Action> actions);
    void complete(u64 time, std::vector<Action>& actions);

    std::deque<Outstanding> outstanding_;
    u64 next_ = kFirstUnrecordedRequest;
};

}  // namespace tracefold
