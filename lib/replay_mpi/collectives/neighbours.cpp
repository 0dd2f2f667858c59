// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/collectives/neighbours.hpp"

#include "comm/mpi_error.hpp"
#include "core/hash.hpp"
#include "replay_mpi/collectives/issue.hpp"
#include "replay_mpi/proof/watched.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// Of the numbers whose order all MPI libraries agree on: some compare unsigned ones as signed.
constexpr u64 kLargest = ~u64{0} >> 1U;

bool blocks(MpiFunction function) {
    switch (function) {
        case MpiFunction::Neighbor_allgather:
        case MpiFunction::Neighbor_allgatherv:
        case MpiFunction::Neighbor_alltoall:
        case MpiFunction::Neighbor_alltoallv:
        case MpiFunction::Neighbor_alltoallw:
            return true;
        default:
            return false;
    }
}

bool makes_graph(MpiFunction function) {
    return function == MpiFunction::Graph_create || function == MpiFunction::Dist_graph_create ||
           function == MpiFunction::Dist_graph_create_adjacent;
}

/// Precondition: the communicator has a topology.
std::size_t neighbours_of(MPI_Comm comm) {
    int topology = MPI_UNDEFINED;
    check_mpi(PMPI_Topo_test(comm, &topology), "MPI_Topo_test");
    if (topology != MPI_CART) return CommunicatorMaker::kRingNeighbours;
    int dimensions = 0;
    check_mpi(PMPI_Cartdim_get(comm, &dimensions), "MPI_Cartdim_get");
    return 2 * static_cast<std::size_t>(dimensions);
}

}  // namespace

void Neighbours::note(const MpiCall& call) {
    for (const Action& action : call.actions) {
        const u64 comm = action.part.comm;
        if (action.kind == Action::Kind::create_comm) {
            const CommunicatorView* view = communicators_.table().find(comm);
            const bool cart = view != nullptr && view->cart != nullptr;
            if (cart || makes_graph(call.function)) live_.push_back(comm);
        } else if (action.kind == Action::Kind::destroy_comm) {
            std::erase(live_, comm);
        }
    }
}

void Neighbours::prepare(const MpiCall& call) {
    if (!bytes_) return;
    note(call);
    if (call.family != CallFamily::neighbour || live_.empty()) return;
    const u64 comm = live_.back();
    u64& sequence = sequences_[comm];
    sequence = mix(sequence + static_cast<u64>(call.function) + 1) & kLargest;
    const CartShape* shape = communicators_.table().find(comm)->cart;
    const u64 neighbours =
        shape == nullptr ? CommunicatorMaker::kRingNeighbours : 2 * shape->sizes.size();
    buffers_.expect_outgoing(amounts_.scaled(*bytes_) * neighbours);
    buffers_.expect_incoming(amounts_.scaled(*bytes_) * neighbours);
}

void Neighbours::agree(MPI_Comm world) {
    if (!bytes_) return;
    const CommunicatorTable& table = communicators_.table();
    std::vector<u64> least(table.id_limit(), kLargest);
    std::vector<u64> most(table.id_limit(), 0);
    for (const u64 comm : table.own()) least[comm] = most[comm] = sequences_[comm];
    const int size = static_cast<int>(least.size());
    check_mpi(PMPI_Allreduce(MPI_IN_PLACE, least.data(), size, MPI_UINT64_T, MPI_MIN, world),
              "MPI_Allreduce");
    check_mpi(PMPI_Allreduce(MPI_IN_PLACE, most.data(), size, MPI_UINT64_T, MPI_MAX, world),
              "MPI_Allreduce");
    for (const u64 comm : table.own()) agreed_[comm] = least[comm] == most[comm];
    reset();
}

void Neighbours::execute(const MpiCall& call) {
    const u64 comm = live_.empty() ? kNone : live_.back();
    const MPI_Comm handle = comm == kNone ? MPI_COMM_NULL : communicators_.find(comm);
    int topology = MPI_UNDEFINED;
    if (handle != MPI_COMM_NULL) check_mpi(PMPI_Topo_test(handle, &topology), "MPI_Topo_test");
    if (topology == MPI_UNDEFINED || !agreed_[comm]) {
        inferences_.count(Inference::neighbour_left_out);
        return;
    }
    inferences_.count(Inference::neighbour_guessed);
    if (blocks(call.function)) {
        issue(call.function, handle, nullptr);
    } else {
        issue(call.function, handle, &pending_.emplace_back(MPI_REQUEST_NULL));
    }
}

const Neighbours::Shape& Neighbours::shape_for(MPI_Comm comm, const Amount& amount) {
    const std::size_t count = neighbours_of(comm);
    const auto [place, is_new] = shapes_.try_emplace(count);
    Shape& shape = place->second;
    if (!is_new) return shape;
    shape.neighbours = static_cast<int>(count);
    shape.counts.assign(count, amount.count);
    shape.types.assign(count, amount.type);
    for (std::size_t i = 0; i < count; ++i) {
        shape.places.push_back(static_cast<int>(i) * amount.count);
        shape.addresses.push_back(static_cast<MPI_Aint>(i * amount.bytes));
    }
    return shape;
}

void Neighbours::issue(MpiFunction function, MPI_Comm comm, MPI_Request* request) {
    const Amount amount = amounts_.of(*bytes_);
    const Shape& shape = shape_for(comm, amount);
    const u64 all = amount.bytes * static_cast<u64>(shape.neighbours);
    const void* out = buffers_.outgoing(all);
    void* in = buffers_.incoming(all);
    const auto [count, type, bytes] = amount;
    const int* counts = shape.counts.data();
    const int* places = shape.places.data();
    const MPI_Aint* addresses = shape.addresses.data();
    const MPI_Datatype* types = shape.types.data();
    switch (function) {
        case MpiFunction::Neighbor_allgather:
        case MpiFunction::Ineighbor_allgather:
            TRACEFOLD_ISSUE(Neighbor_allgather, Ineighbor_allgather, out, count, type, in, count,
                            type, comm);
            break;
        case MpiFunction::Neighbor_allgatherv:
        case MpiFunction::Ineighbor_allgatherv:
            TRACEFOLD_ISSUE(Neighbor_allgatherv, Ineighbor_allgatherv, out, count, type, in, counts,
                            places, type, comm);
            break;
        case MpiFunction::Neighbor_alltoall:
        case MpiFunction::Ineighbor_alltoall:
            TRACEFOLD_ISSUE(Neighbor_alltoall, Ineighbor_alltoall, out, count, type, in, count,
                            type, comm);
            break;
        case MpiFunction::Neighbor_alltoallv:
        case MpiFunction::Ineighbor_alltoallv:
            TRACEFOLD_ISSUE(Neighbor_alltoallv, Ineighbor_alltoallv, out, counts, places, type, in,
                            counts, places, type, comm);
            break;
        default:
            TRACEFOLD_ISSUE(Neighbor_alltoallw, Ineighbor_alltoallw, out, counts, addresses, types,
                            in, counts, addresses, types, comm);
            break;
    }
}

void Neighbours::complete() {
    if (pending_.empty()) return;
    check_mpi(
        watched::Waitall(static_cast<int>(pending_.size()), pending_.data(), MPI_STATUSES_IGNORE),
        "MPI_Waitall");
    pending_.clear();
}

}  // namespace tracefold
