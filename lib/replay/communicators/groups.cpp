// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/communicators/groups.hpp"

#include "base/mpi.hpp"
#include "replay/replay_world.hpp"

#include <utility>

namespace tracefold {

namespace {

std::vector<int> as_ints(std::span<const u64> ranks) {
    std::vector<int> ints;
    ints.reserve(ranks.size());
    for (const u64 rank : ranks) ints.push_back(static_cast<int>(rank));
    return ints;
}

}  // namespace

Group Group::of_communicator(MPI_Comm comm) {
    Group group;
    check_mpi(PMPI_Comm_group(comm, &group.group_), "MPI_Comm_group");
    return group;
}

Group Group::of_remote_side(MPI_Comm comm) {
    Group group;
    check_mpi(PMPI_Comm_remote_group(comm, &group.group_), "MPI_Comm_remote_group");
    return group;
}

Group Group::of_world_ranks(std::span<const u64> ranks) {
    const Group world = of_communicator(replay_world());
    const std::vector<int> members = as_ints(ranks);
    Group group;
    check_mpi(MPI_Group_incl(world.group_, static_cast<int>(members.size()), members.data(),
                             &group.group_),
              "MPI_Group_incl");
    group.watched_ = true;
    return group;
}

Group& Group::operator=(Group&& other) noexcept {
    std::swap(group_, other.group_);
    std::swap(watched_, other.watched_);
    return *this;
}

Group::~Group() {
    if (group_ == MPI_GROUP_EMPTY || group_ == MPI_GROUP_NULL) return;
    if (watched_) {
        MPI_Group_free(&group_);
    } else {
        PMPI_Group_free(&group_);
    }
}

std::vector<int> Group::ranks_of(std::span<const u64> world_ranks) const {
    const Group world = of_communicator(replay_world());
    const std::vector<int> from = as_ints(world_ranks);
    std::vector<int> to(from.size());
    check_mpi(PMPI_Group_translate_ranks(world.group_, static_cast<int>(from.size()), from.data(),
                                         group_, to.data()),
              "MPI_Group_translate_ranks");
    return to;
}

bool Group::is_world_ranks(std::span<const u64> ranks) const {
    int size = 0;
    check_mpi(PMPI_Group_size(group_, &size), "MPI_Group_size");
    if (static_cast<std::size_t>(size) != ranks.size()) return false;
    const std::vector<int> own = ranks_of(ranks);
    for (int rank = 0; rank < size; ++rank) {
        if (own[static_cast<std::size_t>(rank)] != rank) return false;
    }
    return true;
}

}  // namespace tracefold
