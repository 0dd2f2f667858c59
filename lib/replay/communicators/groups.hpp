// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <span>
#include <utility>
#include <vector>

#include <mpi.h>

namespace tracefold {

/// Owns a group of processes. Empty by default.
class Group {
  public:
    Group() = default;
    /// Takes ownership of a handle.
    explicit Group(MPI_Group group) : group_(group) {}
    /// The processes of these ranks of replay_world(), in this order. Throws Error(io).
    static Group of_world_ranks(std::span<const u64> ranks);
    static Group of_communicator(MPI_Comm comm);
    /// The other side of an intercommunicator.
    static Group of_remote_side(MPI_Comm comm);

    Group(Group&& other) noexcept
        : group_(std::exchange(other.group_, MPI_GROUP_EMPTY)), watched_(other.watched_) {}
    Group& operator=(Group&& other) noexcept;
    ~Group();

    [[nodiscard]] MPI_Group handle() const { return group_; }
    /// True if the members are the processes of these ranks of replay_world(), in this order.
    [[nodiscard]] bool is_world_ranks(std::span<const u64> ranks) const;
    /// Translates ranks of replay_world() to ranks in this group; MPI_UNDEFINED for non-members.
    [[nodiscard]] std::vector<int> ranks_of(std::span<const u64> world_ranks) const;

  private:
    MPI_Group group_ = MPI_GROUP_EMPTY;
    bool watched_ = false;  ///< made for calls of the trace, visible to the profiling interface
};

}  // namespace tracefold
