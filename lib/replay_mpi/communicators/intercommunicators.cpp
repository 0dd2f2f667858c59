// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/communicators/intercommunicators.hpp"

#include "comm/mpi_error.hpp"
#include "core/error.hpp"
#include "replay_mpi/communicators/communicators.hpp"
#include "replay_mpi/communicators/groups.hpp"
#include "replay_mpi/proof/watched.hpp"

#include <algorithm>
#include <string>

namespace tracefold {

namespace {

/// MPI guarantees tags up to here.
constexpr u64 kTags = 32768;

int tag_of(const CommunicatorView& view) { return static_cast<int>(view.id % kTags); }

bool has(std::span<const u64> ranks, u64 rank) {
    return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

/// MPI_COMM_NULL if there is none. All members have the same ones, in the same order.
MPI_Comm local_side(const CommunicatorView& inter, const Communicators& communicators) {
    if (inter.members.size() == 1) return MPI_COMM_SELF;
    const CommunicatorTable& table = communicators.table();
    for (const u64 comm : table.own()) {
        const MPI_Comm handle = communicators.find(comm);
        const CommunicatorView& view = *table.find(comm);
        if (handle == MPI_COMM_NULL || view.inter) continue;
        if (std::ranges::equal(view.members, inter.members)) return handle;
    }
    return MPI_COMM_NULL;
}

struct Peer {
    MPI_Comm comm = MPI_COMM_WORLD;
    int leader = 0;  ///< rank of the remote leader in `comm`
};

/// Both leaders know as much about the recorded parent and so agree.
Peer peer_of(const CommunicatorView& inter, const Communicators& communicators) {
    const u64 remote = inter.remote.front();
    const CommunicatorView* parent = communicators.table().find(inter.parent);
    const MPI_Comm handle = communicators.find(inter.parent);
    if (handle == MPI_COMM_NULL || parent->inter || !has(parent->members, inter.members.front()) ||
        !has(parent->members, remote)) {
        return {MPI_COMM_WORLD, static_cast<int>(remote)};
    }
    const auto place = std::find(parent->members.begin(), parent->members.end(), remote);
    return {handle, static_cast<int>(place - parent->members.begin())};
}

}  // namespace

MPI_Comm make_of_group(MPI_Comm parent, const CommunicatorView& view) {
    const Group group = Group::of_world_ranks(view.members);
    MPI_Comm part = MPI_COMM_NULL;
    check_mpi(watched::Comm_create_group(parent == MPI_COMM_NULL ? MPI_COMM_WORLD : parent,
                                         group.handle(), tag_of(view), &part),
              "MPI_Comm_create_group");
    return part;
}

MPI_Comm connect_sides(const CommunicatorView* inter, const Communicators& communicators,
                       Inferences& inferences) {
    if (inter == nullptr || !inter->inter || inter->members.empty() || inter->remote.empty()) {
        throw Error(ErrorKind::corrupt,
                    "MPI_Intercomm_create made something that is no intercommunicator");
    }
    MPI_Comm side = local_side(*inter, communicators);
    const bool is_mine = side == MPI_COMM_NULL;
    if (is_mine) {
        inferences.count(Inference::inter_group);
        side = make_of_group(MPI_COMM_WORLD, *inter);
    }
    const Peer peer = peer_of(*inter, communicators);
    MPI_Comm made = MPI_COMM_NULL;
    check_mpi(watched::Intercomm_create(side, 0, peer.comm, peer.leader, tag_of(*inter), &made),
              "MPI_Intercomm_create");
    if (is_mine) check_mpi(watched::Comm_free(&side), "MPI_Comm_free");
    return made;
}

MPI_Comm merge_sides(const CommunicatorView* merged, u64 parent,
                     const Communicators& communicators) {
    const CommunicatorView* inter = communicators.table().find(parent);
    if (merged == nullptr || inter == nullptr || !inter->inter || merged->members.empty()) {
        throw Error(ErrorKind::corrupt,
                    "MPI_Intercomm_merge merged something that is no intercommunicator");
    }
    const bool high = merged->members.front() != inter->members.front();
    MPI_Comm made = MPI_COMM_NULL;
    check_mpi(watched::Intercomm_merge(communicators.handle(parent), high ? 1 : 0, &made),
              "MPI_Intercomm_merge");
    return made;
}

}  // namespace tracefold
