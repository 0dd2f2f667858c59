// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/creation_matcher.hpp"

#include <unordered_map>
#include <vector>

namespace tracefold {

/// Finds out which communicators MPI_Comm_free without a record freed: each was freed by the first
/// such call that all its members make after they last use it, in the order of their creation.
/// Memory: linear in the histories. Cost: frees times the communicators that exist at a time.
class FreeMatcher {
  public:
    /// Both must outlive this object; `creations` have been matched.
    FreeMatcher(const std::vector<CommunicatorHistory>& histories,
                const CreationMatcher& creations);

    /// Call once.
    void match();

    /// The communicator of each of CommunicatorHistory::frees(); kNone: not known.
    [[nodiscard]] const std::vector<u64>& frees(u32 rank) const { return ranks_[rank].frees; }

  private:
    struct Rank {
        std::vector<u64> alive;  ///< or not made yet, in the order of creation
        /// Creations that come before a communicator can be freed: its own and its children's.
        std::unordered_map<u64, u64> creations;
        std::vector<u64> frees;
        std::size_t next = 0;
    };

    void list_alive(u32 rank, const CreationMatcher& creations);
    [[nodiscard]] bool has_frees(u32 rank) const {
        return ranks_[rank].next < ranks_[rank].frees.size();
    }
    [[nodiscard]] bool can_free(u32 rank, u64 comm) const;
    [[nodiscard]] bool can_all_free(u32 rank, u64 comm) const;
    bool free_one(u32 rank);
    bool skip_call();

    const std::vector<CommunicatorHistory>& histories_;
    std::vector<Rank> ranks_;
};

}  // namespace tracefold
