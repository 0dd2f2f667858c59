// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <mpi.h>

namespace tracefold {

/// The node of this process: MPI_Get_processor_name().
std::string node_name();

/// Which process replays which rank of the trace.
enum class RankMapping : u8 {
    given,        ///< as started: process i is rank i
    blocks,       ///< node after node
    round_robin,  ///< one rank per node in turn
    file,         ///< on the nodes of a list
};

/// The processes that replay the ranks of a trace, by rank. `hosts`: the nodes of all processes;
/// `nodes`: those of the ranks, for RankMapping::file. Throws Error(usage) if there are fewer
/// processes than ranks, on a node or at all, or another number of nodes.
std::vector<u32> processes_of_ranks(std::span<const std::string> hosts, u32 ranks,
                                    RankMapping mapping, std::span<const std::string> nodes);

/// The processes of a replay in the order of the trace's ranks: MPI_COMM_WORLD, unless a
/// ReplayWorld exists.
MPI_Comm replay_world();

/// Makes replay_world() a part of MPI_COMM_WORLD during its lifetime. Construction and destruction
/// are collective over MPI_COMM_WORLD: idle processes sleep in the destructor until the others
/// come.
class ReplayWorld {
  public:
    /// `rank`: of this process; nullopt if it is idle. Throws Error(io).
    explicit ReplayWorld(std::optional<u32> rank);
    ReplayWorld(const ReplayWorld&) = delete;
    ReplayWorld& operator=(const ReplayWorld&) = delete;
    ~ReplayWorld();

  private:
    MPI_Comm all_ = MPI_COMM_NULL;
    MPI_Comm part_ = MPI_COMM_NULL;
};

}  // namespace tracefold
