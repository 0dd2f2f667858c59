// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/communicators/communicator_maker.hpp"

#include "comm/mpi_error.hpp"
#include "core/error.hpp"
#include "replay_mpi/communicators/cartesian.hpp"
#include "replay_mpi/communicators/communicators.hpp"
#include "replay_mpi/communicators/groups.hpp"
#include "replay_mpi/communicators/intercommunicators.hpp"
#include "replay_mpi/proof/watched.hpp"

#include <array>
#include <limits>
#include <string>

namespace tracefold {

namespace {

/// A graph in which everyone's neighbours are the rank before and the one after.
MPI_Comm make_ring(MPI_Comm members) {
    int rank = 0;
    int size = 1;
    check_mpi(PMPI_Comm_rank(members, &rank), "MPI_Comm_rank");
    check_mpi(PMPI_Comm_size(members, &size), "MPI_Comm_size");
    const std::array<int, CommunicatorMaker::kRingNeighbours> beside = {(rank + size - 1) % size,
                                                                        (rank + 1) % size};
    const int degree = static_cast<int>(beside.size());
    MPI_Comm ring = MPI_COMM_NULL;
    check_mpi(
        watched::Dist_graph_create_adjacent(members, degree, beside.data(), MPI_UNWEIGHTED, degree,
                                            beside.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring),
        "MPI_Dist_graph_create_adjacent");
    return ring;
}

}  // namespace

const CommunicatorTable& CommunicatorMaker::table() const { return communicators_.table(); }

MPI_Comm CommunicatorMaker::make(const Creation& creation) {
    if (creation.parent == kNone && !is_of_members_only(creation.function)) {
        return without_parent(creation);
    }
    switch (creation.function) {
        // Of recorders that say nothing about the request, the communicator is there at once.
        case MpiFunction::Comm_idup:
        case MpiFunction::Comm_dup: {
            MPI_Comm copy = MPI_COMM_NULL;
            check_mpi(watched::Comm_dup(parent_of(creation), &copy), "MPI_Comm_dup");
            return copy;
        }
        case MpiFunction::Comm_idup_with_info:
        case MpiFunction::Comm_dup_with_info: {
            MPI_Comm copy = MPI_COMM_NULL;
            check_mpi(watched::Comm_dup_with_info(parent_of(creation), MPI_INFO_NULL, &copy),
                      "MPI_Comm_dup_with_info");
            return copy;
        }
        case MpiFunction::Comm_create:
            return from_group(creation);
        case MpiFunction::Comm_create_group:
        case MpiFunction::Comm_create_from_group:
            return from_own_group(creation);
        case MpiFunction::Cart_create:
            return cart(creation);
        case MpiFunction::Cart_sub:
            return cart_part(creation);
        case MpiFunction::Intercomm_create:
            return connect_sides(creation.view, communicators_, inferences_);
        case MpiFunction::Intercomm_merge:
            return merge_sides(creation.view, creation.parent, communicators_);
        case MpiFunction::Comm_split_type:
            inferences_.count(Inference::split_type);
            return split(creation);
        case MpiFunction::Graph_create:
        case MpiFunction::Dist_graph_create:
        case MpiFunction::Dist_graph_create_adjacent:
            inferences_.count(Inference::graph);
            return graph(creation);
        default:
            inferences_.count(Inference::split);
            return split(creation);
    }
}

MPI_Comm CommunicatorMaker::parent_of(const Creation& creation) const {
    return communicators_.handle(creation.parent);
}

/// Its members alone make it.
MPI_Comm CommunicatorMaker::without_parent(const Creation& creation) const {
    if (creation.view == nullptr || creation.view->inter) {
        throw Error(ErrorKind::corrupt, std::string(name_of(creation.function)) +
                                            " made something of an unknown communicator");
    }
    inferences_.count(Inference::parent_unknown);
    return make_of_group(MPI_COMM_NULL, *creation.view);
}

/// A definition is one communicator, so its number is the colour; but one of a single process may
/// stand for several, on different processes.
int CommunicatorMaker::colour_of(const CommunicatorView& view) const {
    const u64 colour = view.self_like ? table().id_limit() + table().world_rank() : view.id;
    if (colour > static_cast<u64>(std::numeric_limits<int>::max())) {
        throw Error(ErrorKind::unsupported, "communicator " + std::to_string(view.id) +
                                                " has too large a number for MPI_Comm_split");
    }
    return static_cast<int>(colour);
}

int CommunicatorMaker::rank_in(const CommunicatorView& view) const {
    return static_cast<int>(view.rank_of(table().world_rank()));
}

MPI_Comm CommunicatorMaker::split(const Creation& creation) const {
    const CommunicatorView* view = creation.view;
    MPI_Comm part = MPI_COMM_NULL;
    check_mpi(
        watched::Comm_split(parent_of(creation), view == nullptr ? MPI_UNDEFINED : colour_of(*view),
                            view == nullptr ? 0 : rank_in(*view), &part),
        "MPI_Comm_split");
    return part;
}

MPI_Comm CommunicatorMaker::from_group(const Creation& creation) const {
    const Group group =
        creation.view == nullptr ? Group() : Group::of_world_ranks(creation.view->members);
    MPI_Comm part = MPI_COMM_NULL;
    check_mpi(watched::Comm_create(parent_of(creation), group.handle(), &part), "MPI_Comm_create");
    return part;
}

MPI_Comm CommunicatorMaker::from_own_group(const Creation& creation) const {
    if (creation.view == nullptr) return MPI_COMM_NULL;
    return make_of_group(communicators_.find(creation.parent), *creation.view);
}

MPI_Comm CommunicatorMaker::cart(const Creation& creation) {
    const CommunicatorView* view = creation.view;
    const CommunicatorView* parent = table().find(creation.parent);
    if (view == nullptr) view = next_cart_without_me(creation.parent);
    // Those that are left out know nothing of a shape of one process.
    const bool hidden =
        view != nullptr && view->self_like && parent != nullptr && parent->members.size() > 1;
    if (view == nullptr || parent == nullptr || view->cart == nullptr || hidden ||
        !is_cart_order(*view, *parent)) {
        inferences_.count(Inference::cart_as_split);
        return split(creation);
    }
    return make_cart(parent_of(creation), *view->cart);
}

/// Members and their order are known, edges are not: a ring.
MPI_Comm CommunicatorMaker::graph(const Creation& creation) const {
    MPI_Comm members = split(creation);
    if (members == MPI_COMM_NULL) return members;
    const MPI_Comm ring = make_ring(members);
    check_mpi(watched::Comm_free(&members), "MPI_Comm_free");
    return ring;
}

MPI_Comm CommunicatorMaker::cart_part(const Creation& creation) const {
    if (creation.view == nullptr) return split(creation);
    const MPI_Comm parent = parent_of(creation);
    const auto remain = remaining_dimensions(parent, *creation.view);
    if (!remain) {
        inferences_.count(Inference::cart_as_split);
        return split(creation);
    }
    MPI_Comm part = MPI_COMM_NULL;
    check_mpi(watched::Cart_sub(parent, remain->data(), &part), "MPI_Cart_sub");
    return part;
}

const CommunicatorView* CommunicatorMaker::next_cart_without_me(u64 parent) {
    const std::lock_guard guard(mutex_);
    const std::span<const CommunicatorView> carts = table().carts_without_me(parent);
    const std::size_t next = nulls_[parent]++;
    return next < carts.size() ? &carts[next] : nullptr;
}

}  // namespace tracefold
