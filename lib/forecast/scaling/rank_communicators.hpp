// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/mapping_tables.hpp"
#include "forecast/scaling/call_sequence.hpp"
#include "model/rank_grid.hpp"

#include <map>
#include <vector>

namespace tracefold {

/// The communicators that each rank of a run is a member of.
class RankCommunicators {
  public:
    struct Membership {
        u64 id = 0;                      ///< of the communicator
        u64 local_id = 0;                ///< on the rank's location
        u32 rank = 0;                    ///< in it
        const RankGrid* grid = nullptr;  ///< chain of its members; one per size
    };

    /// `definitions`: global ones of a run of `ranks`. Leaves out MPI_COMM_SELF and
    /// intercommunicators. Cost: the members of all communicators.
    RankCommunicators(const CallSequence& definitions, const CallTypes& kinds, u32 ranks);
    RankCommunicators(const RankCommunicators&) = delete;
    RankCommunicators& operator=(const RankCommunicators&) = delete;

    /// Sets the local ids of a rank; without them, they are the global ones.
    void set_local_ids(u32 rank, const MappingTables& tables);

    /// In the order of their definitions.
    [[nodiscard]] const std::vector<Membership>& of(u32 rank) const { return of_rank_[rank]; }
    /// True if a communicator has some of the ranks only.
    [[nodiscard]] bool has_parts() const { return grids_.size() > 1; }

  private:
    std::map<std::size_t, RankGrid> grids_;  ///< by size
    std::vector<std::vector<Membership>> of_rank_;
};

}  // namespace tracefold
