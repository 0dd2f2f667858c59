// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/communicators/communicator_maker.hpp"

#include "base/error.hpp"
#include "base/mpi.hpp"
#include "mpi/communicator_table.hpp"
#include "replay/communicators/communicators.hpp"
#include "replay/communicators/groups.hpp"
#include "replay/proof/watched.hpp"
#include "replay/replay_world.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <mpi.h>

namespace tracefold {

/// MPI_Cart_create without reordering.
MPI_Comm make_cart(MPI_Comm parent, const CartShape& shape);

/// The argument of MPI_Cart_sub that selects the processes of `part` from a Cartesian communicator:
/// the dimensions in which they differ, and as many of size one as the part's shape has. All
/// processes of `parent` get the same result. Nullopt if `parent` is not Cartesian here.
std::optional<std::vector<int>> remaining_dimensions(MPI_Comm parent, const CommunicatorView& part);

namespace {

constexpr int kDegree = CommunicatorMaker::kRingNeighbours;

/// The predecessor and the successor of a rank.
std::array<int, kDegree> beside(int rank, int size) {
    return {(rank + size - 1) % size, (rank + 1) % size};
}

/// A ring by MPI_Graph_create.
MPI_Comm make_graph(MPI_Comm members, int size) {
    std::vector<int> ends;
    std::vector<int> edges;
    for (int rank = 0; rank < size; ++rank) {
        ends.push_back(kDegree * (rank + 1));
        for (const int neighbour : beside(rank, size)) edges.push_back(neighbour);
    }
    MPI_Comm ring = MPI_COMM_NULL;
    check_mpi(watched::Graph_create(members, size, ends.data(), edges.data(), 0, &ring),
              "MPI_Graph_create");
    return ring;
}

/// A graph in which each rank's neighbours are its predecessor and successor, by the function if it
/// makes graphs.
MPI_Comm make_ring(MPI_Comm members, MpiFunction function) {
    int rank = 0;
    int size = 1;
    check_mpi(PMPI_Comm_rank(members, &rank), "MPI_Comm_rank");
    check_mpi(PMPI_Comm_size(members, &size), "MPI_Comm_size");
    if (function == MpiFunction::Graph_create) return make_graph(members, size);
    const std::array<int, kDegree> neighbours = beside(rank, size);
    MPI_Comm ring = MPI_COMM_NULL;
    if (function == MpiFunction::Dist_graph_create) {
        check_mpi(watched::Dist_graph_create(members, 1, &rank, &kDegree, neighbours.data(),
                                             MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring),
                  "MPI_Dist_graph_create");
        return ring;
    }
    check_mpi(watched::Dist_graph_create_adjacent(members, kDegree, neighbours.data(),
                                                  MPI_UNWEIGHTED, kDegree, neighbours.data(),
                                                  MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring),
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
        // If the recorder has no request for it, the communicator exists at once.
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
            return split_by_type(creation);
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

/// Made by its members only.
MPI_Comm CommunicatorMaker::without_parent(const Creation& creation) const {
    if (creation.view == nullptr || creation.view->inter) {
        throw Error(ErrorKind::corrupt,
                    std::string(name_of(creation.function)) + " created an unknown communicator");
    }
    inferences_.count(Inference::parent_unknown);
    return make_of_group(MPI_COMM_NULL, *creation.view);
}

/// The colour is the definition's number; definitions of a single process represent several
/// communicators on different processes.
int CommunicatorMaker::colour_of(const CommunicatorView& view) const {
    const u64 colour = view.self_like ? table().id_limit() + table().world_rank() : view.id;
    if (colour > static_cast<u64>(std::numeric_limits<int>::max())) {
        throw Error(ErrorKind::unsupported, "communicator " + std::to_string(view.id) +
                                                " has a number too large for MPI_Comm_split");
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
    // Excluded processes do not know a shape of one process.
    const bool hidden =
        view != nullptr && view->self_like && parent != nullptr && parent->members.size() > 1;
    if (view == nullptr || parent == nullptr || view->cart == nullptr || hidden ||
        !is_cart_order(*view, *parent)) {
        inferences_.count(Inference::cart_as_split);
        return split(creation);
    }
    return make_cart(parent_of(creation), *view->cart);
}

/// The type is not recorded: processes that share memory, if these are the recorded members.
MPI_Comm CommunicatorMaker::split_by_type(const Creation& creation) {
    const CommunicatorView* const view = creation.view;
    const MPI_Comm parent = parent_of(creation);
    const int type = view == nullptr ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED;
    const int key = view == nullptr ? 0 : rank_in(*view);
    MPI_Comm part = MPI_COMM_NULL;
    check_mpi(PMPI_Comm_split_type(parent, type, key, MPI_INFO_NULL, &part), "MPI_Comm_split_type");
    int same = 1;
    if (view != nullptr) {
        same = Group::of_communicator(part).is_world_ranks(view->members) ? 1 : 0;
        check_mpi(PMPI_Comm_free(&part), "MPI_Comm_free");
    }
    check_mpi(PMPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, parent), "MPI_Allreduce");
    if (same == 0) {
        inferences_.count(Inference::split_type);
        return split(creation);
    }
    check_mpi(watched::Comm_split_type(parent, type, key, MPI_INFO_NULL, &part),
              "MPI_Comm_split_type");
    return part;
}

/// Members and their order are known, edges are not: makes a ring.
MPI_Comm CommunicatorMaker::graph(const Creation& creation) const {
    const CommunicatorView* const parent = table().find(creation.parent);
    if (creation.view != nullptr && parent != nullptr &&
        std::ranges::equal(creation.view->members, parent->members)) {
        return make_ring(parent_of(creation), creation.function);
    }
    MPI_Comm members = split(creation);
    if (members == MPI_COMM_NULL) return members;
    const MPI_Comm ring = make_ring(members, MpiFunction::Dist_graph_create_adjacent);
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

namespace {

std::vector<int> sizes_of(MPI_Comm cart) {
    int count = 0;
    check_mpi(PMPI_Cartdim_get(cart, &count), "MPI_Cartdim_get");
    std::vector<int> sizes(static_cast<std::size_t>(count));
    std::vector<int> periods(sizes.size());
    std::vector<int> coordinates(sizes.size());
    check_mpi(PMPI_Cart_get(cart, count, sizes.data(), periods.data(), coordinates.data()),
              "MPI_Cart_get");
    return sizes;
}

/// 1 for every dimension of `cart` in which the processes differ.
std::vector<int> varying_dimensions(MPI_Comm cart, std::span<const u64> members,
                                    std::size_t dimensions) {
    std::vector<int> varying(dimensions, 0);
    std::vector<int> first;
    std::vector<int> coordinates(dimensions);
    for (const int rank : Group::of_communicator(cart).ranks_of(members)) {
        if (rank == MPI_UNDEFINED) continue;
        check_mpi(PMPI_Cart_coords(cart, rank, static_cast<int>(dimensions), coordinates.data()),
                  "MPI_Cart_coords");
        if (first.empty()) first = coordinates;
        for (std::size_t i = 0; i < dimensions; ++i) {
            if (coordinates[i] != first[i]) varying[i] = 1;
        }
    }
    return varying;
}

}  // namespace

MPI_Comm make_cart(MPI_Comm parent, const CartShape& shape) {
    const std::vector<int> sizes(shape.sizes.begin(), shape.sizes.end());
    const std::vector<int> periods(shape.periodic.begin(), shape.periodic.end());
    MPI_Comm cart = MPI_COMM_NULL;
    check_mpi(watched::Cart_create(parent, static_cast<int>(sizes.size()), sizes.data(),
                                   periods.data(), 0, &cart),
              "MPI_Cart_create");
    return cart;
}

std::optional<std::vector<int>> remaining_dimensions(MPI_Comm parent,
                                                     const CommunicatorView& part) {
    int topology = MPI_UNDEFINED;
    check_mpi(PMPI_Topo_test(parent, &topology), "MPI_Topo_test");
    if (topology != MPI_CART) return std::nullopt;
    const std::vector<int> sizes = sizes_of(parent);
    std::vector<int> remain = varying_dimensions(parent, part.members, sizes.size());
    if (part.cart == nullptr) return remain;
    const auto wanted = static_cast<std::ptrdiff_t>(part.cart->sizes.size());
    std::ptrdiff_t missing = wanted - std::count(remain.begin(), remain.end(), 1);
    for (std::size_t i = 0; i < sizes.size() && missing > 0; ++i) {
        if (remain[i] != 0 || sizes[i] != 1) continue;
        remain[i] = 1;
        --missing;
    }
    return remain;
}

namespace {

/// Tags that MPI guarantees.
constexpr u64 kTags = 32768;

int tag_of(const CommunicatorView& view) { return static_cast<int>(view.id % kTags); }

bool has(std::span<const u64> ranks, u64 rank) {
    return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

/// The first existing communicator with these members, equal on all of them; or MPI_COMM_NULL.
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
    MPI_Comm comm = replay_world();
    int leader = 0;  ///< rank of the remote leader in `comm`
};

/// Both leaders have the same data about the recorded parent and so agree.
Peer peer_of(const CommunicatorView& inter, const Communicators& communicators) {
    const u64 remote = inter.remote.front();
    const CommunicatorView* parent = communicators.table().find(inter.parent);
    const MPI_Comm handle = communicators.find(inter.parent);
    if (handle == MPI_COMM_NULL || parent->inter || !has(parent->members, inter.members.front()) ||
        !has(parent->members, remote)) {
        return {replay_world(), static_cast<int>(remote)};
    }
    const auto place = std::find(parent->members.begin(), parent->members.end(), remote);
    return {handle, static_cast<int>(place - parent->members.begin())};
}

}  // namespace

MPI_Comm make_of_group(MPI_Comm parent, const CommunicatorView& view) {
    const Group group = Group::of_world_ranks(view.members);
    MPI_Comm part = MPI_COMM_NULL;
    check_mpi(watched::Comm_create_group(parent == MPI_COMM_NULL ? replay_world() : parent,
                                         group.handle(), tag_of(view), &part),
              "MPI_Comm_create_group");
    return part;
}

MPI_Comm connect_sides(const CommunicatorView* inter, const Communicators& communicators,
                       Inferences& inferences) {
    if (inter == nullptr || !inter->inter || inter->members.empty() || inter->remote.empty()) {
        throw Error(ErrorKind::corrupt, "MPI_Intercomm_create did not create an intercommunicator");
    }
    MPI_Comm side = local_side(*inter, communicators);
    const bool is_mine = side == MPI_COMM_NULL;
    if (is_mine) {
        inferences.count(Inference::inter_group);
        side = make_of_group(replay_world(), *inter);
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
        throw Error(ErrorKind::corrupt, "MPI_Intercomm_merge has no intercommunicator to merge");
    }
    const bool high = merged->members.front() != inter->members.front();
    MPI_Comm made = MPI_COMM_NULL;
    check_mpi(watched::Intercomm_merge(communicators.handle(parent), high ? 1 : 0, &made),
              "MPI_Intercomm_merge");
    return made;
}

}  // namespace tracefold
