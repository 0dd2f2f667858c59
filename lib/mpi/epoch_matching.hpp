// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/matching/matching_state.hpp"

#include <map>

namespace tracefold {

/// Number of partner calls of this MPI_Win_post or MPI_Win_complete; 0 for other actions.
u64 epoch_partners(const DefinitionIndex& definitions, const MpiCall& call, const Action& action);

/// Matches the epochs of MPI_Win_post, _start, _complete and _wait in a matching simulation: the
/// n-th access of a rank to a window of another rank belongs to the n-th exposure to it.
/// MPI_Win_complete waits for the exposure, MPI_Win_wait for MPI_Win_complete.
class EpochMatching {
  public:
    /// The state must outlive this object.
    explicit EpochMatching(MatchingState& state) : state_(state) {}

    /// Handles a RmaGroupSync; false if its call has to wait.
    bool take(u32 walker, const Action& action);

  private:
    /// Origin and target are world ranks.
    struct Key {
        u64 window = 0;
        u32 origin = 0;
        u32 target = 0;

        auto operator<=>(const Key&) const = default;
    };
    /// Calls without a partner so far.
    struct Pair {
        std::deque<CallPlace> posts;
        std::deque<CallPlace> completes;
        std::vector<u32> blocked;
    };
    using Ends = std::deque<CallPlace> Pair::*;

    [[nodiscard]] std::vector<u32> group(u32 walker, u64 group) const;
    void come(u32 walker, Key key, bool access, const std::vector<u32>& partners);
    bool meet(u32 walker, Key key, bool access, const std::vector<u32>& partners);
    [[nodiscard]] Pair& pair(Key key, bool access, u32 partner);

    MatchingState& state_;
    std::map<Key, Pair> pairs_;
};

}  // namespace tracefold
