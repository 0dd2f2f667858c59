// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/collectives/collectives.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/mpi.hpp"
#include "replay/proof/watched.hpp"

#include <algorithm>
#include <string>

namespace tracefold {

namespace {

bool is_action(const Action& action) {
    const bool posts = action.kind == Action::Kind::post_collective && action.known;
    return posts || action.kind == Action::Kind::collective;
}

/// The number of pieces of both amounts in a call's buffers.
struct Pieces {
    u64 send = 1;
    u64 receive = 1;
};

Pieces pieces_of(CollectiveKind kind, const CollectiveScope& scope) {
    switch (kind) {
        case CollectiveKind::gather:
        case CollectiveKind::allgather:
            return {1, scope.partners};
        case CollectiveKind::scatter:
            return {scope.partners, 1};
        case CollectiveKind::alltoall:
            return {scope.partners, scope.partners};
        case CollectiveKind::reduce_scatter_block:
            return {std::max(scope.size, scope.partners), 1};
        default:
            return {};
    }
}

bool reduces(CollectiveKind kind) {
    switch (kind) {
        case CollectiveKind::allreduce:
        case CollectiveKind::reduce:
        case CollectiveKind::reduce_scatter:
        case CollectiveKind::reduce_scatter_block:
        case CollectiveKind::scan:
        case CollectiveKind::exscan:
            return true;
        default:
            return false;
    }
}

/// Uses 8-byte numbers, which reduce faster, if the size is divisible.
Amount for_reduction(const Amount& amount) {
    constexpr u64 kWord = sizeof(u64);
    if (amount.bytes % kWord == 0 && amount.bytes / kWord <= Amounts::kMaxCount) {
        return {static_cast<int>(amount.bytes / kWord), MPI_UINT64_T, amount.bytes};
    }
    if (amount.bytes <= Amounts::kMaxCount) return amount;
    throw Error(ErrorKind::unsupported, "a reduction of " + std::to_string(amount.bytes) +
                                            " bytes cannot be expressed in MPI");
}

}  // namespace

void Collectives::issue_uniform(CollectiveKind kind, const Call& call) {
    MPI_Request* request = call.request;
    const Amount& s = call.send;
    const Amount& r = call.receive;
    switch (kind) {
        case CollectiveKind::barrier:
            TRACEFOLD_ISSUE(Barrier, Ibarrier, call.comm);
            break;
        case CollectiveKind::bcast:
            TRACEFOLD_ISSUE(Bcast, Ibcast, call.in, r.count, r.type, call.root, call.comm);
            break;
        case CollectiveKind::gather:
            TRACEFOLD_ISSUE(Gather, Igather, call.out, s.count, s.type, call.in, r.count, r.type,
                            call.root, call.comm);
            break;
        case CollectiveKind::scatter:
            TRACEFOLD_ISSUE(Scatter, Iscatter, call.out, s.count, s.type, call.in, r.count, r.type,
                            call.root, call.comm);
            break;
        case CollectiveKind::allgather:
            TRACEFOLD_ISSUE(Allgather, Iallgather, call.out, s.count, s.type, call.in, r.count,
                            r.type, call.comm);
            break;
        case CollectiveKind::alltoall:
            TRACEFOLD_ISSUE(Alltoall, Ialltoall, call.out, s.count, s.type, call.in, r.count,
                            r.type, call.comm);
            break;
        case CollectiveKind::allreduce:
            TRACEFOLD_ISSUE(Allreduce, Iallreduce, call.out, call.in, s.count, s.type, MPI_BXOR,
                            call.comm);
            break;
        case CollectiveKind::reduce:
            TRACEFOLD_ISSUE(Reduce, Ireduce, call.out, call.in, s.count, s.type, MPI_BXOR,
                            call.root, call.comm);
            break;
        case CollectiveKind::reduce_scatter_block:
            TRACEFOLD_ISSUE(Reduce_scatter_block, Ireduce_scatter_block, call.out, call.in, s.count,
                            s.type, MPI_BXOR, call.comm);
            break;
        case CollectiveKind::scan:
            TRACEFOLD_ISSUE(Scan, Iscan, call.out, call.in, s.count, s.type, MPI_BXOR, call.comm);
            break;
        case CollectiveKind::exscan:
            TRACEFOLD_ISSUE(Exscan, Iexscan, call.out, call.in, s.count, s.type, MPI_BXOR,
                            call.comm);
            break;
        default:
            break;
    }
}

void Collectives::prepare(const MpiCall& mpi_call) {
    for (const Action& action : mpi_call.actions) {
        if (!is_action(action)) continue;
        if (action.unrecorded) count(action);
        if (is_vector_collective(action.part.kind)) {
            vectors_.prepare(action.part);
            continue;
        }
        const CollectiveScope& scope = scopes_.of(action.part.comm);
        const UniformArguments arguments = uniform_arguments(action.part, scope);
        const Pieces pieces = pieces_of(action.part.kind, scope);
        const u64 send = amounts_.scaled(arguments.send);
        const u64 receive = amounts_.scaled(arguments.receive);
        buffers_.expect_outgoing(std::max(send, receive) * pieces.send);
        buffers_.expect_incoming(std::max(send, receive) * pieces.receive);
    }
}

/// Counts the inferences about a call without a record.
void Collectives::count(const Action& action) {
    if (action.kind == Action::Kind::post_collective) {
        inferences_.count(Inference::collective_completed);
    }
    if (action.part.kind == CollectiveKind::barrier) {
        inferences_.count(Inference::barrier_named);
        return;
    }
    inferences_.count(Inference::collective_named);
    inferences_.count(action.has_size ? Inference::collective_sized : Inference::collective_empty);
    if (action.part.root == kNone) return;
    inferences_.count(action.has_root ? Inference::root_found : Inference::root_assumed);
}

void Collectives::execute(const MpiCall& mpi_call, Requests& requests) {
    for (const Action& action : mpi_call.actions) {
        if (!is_action(action)) continue;
        if (action.kind == Action::Kind::collective) {
            issue(action, nullptr);
        } else {
            MPI_Request request = MPI_REQUEST_NULL;
            issue(action, &request);
            requests.put(action.request, request);
        }
    }
}

/// Programs repeat the same calls, so the last one of each kind is cached.
const Collectives::Prepared& Collectives::prepare_uniform(const CollectivePart& part) {
    Prepared& prepared = prepared_[static_cast<std::size_t>(part.kind) % kPrepared];
    if (prepared.part == part) return prepared;
    const CollectiveScope& scope = scopes_.of(part.comm);
    const UniformArguments arguments = uniform_arguments(part, scope);
    const auto kind = part.kind;
    const Pieces pieces = pieces_of(kind, scope);
    Call& call = prepared.call;
    call.root = mpi_root(part.root);
    call.send = amounts_.of(arguments.send);
    call.receive = amounts_.of(arguments.receive);
    if (reduces(kind)) call.send = for_reduction(call.send);
    prepared.send_bytes = call.send.bytes * pieces.send;
    prepared.receive_bytes = call.receive.bytes * pieces.receive;
    prepared.in_place = arguments.in_place;
    prepared.part = part;
    return prepared;
}

void Collectives::issue(const Action& action, MPI_Request* request) {
    const CollectivePart& part = action.part;
    if (is_vector_collective(part.kind)) {
        vectors_.issue(part, action.request, request);
        return;
    }
    const Prepared& prepared = prepare_uniform(part);
    const auto kind = part.kind;
    Call call = prepared.call;
    call.comm = communicators_.handle(part.comm);
    call.request = request;
    call.out = buffers_.outgoing(prepared.send_bytes);
    call.in = buffers_.incoming(prepared.receive_bytes);
    if (prepared.in_place) {
        // In a scatter the root's result is in place, elsewhere the contribution.
        if (kind == CollectiveKind::scatter) {
            call.in = MPI_IN_PLACE;
        } else {
            call.out = MPI_IN_PLACE;
        }
    }
    issue_uniform(kind, call);
}

void Collectives::complete(const MpiCall& mpi_call) {
    for (const Action& action : mpi_call.actions) {
        if (action.kind == Action::Kind::complete_collective &&
            is_vector_collective(action.part.kind)) {
            vectors_.complete(action.request);
        }
    }
}

namespace {

/// Largest number that all MPI libraries order alike: some compare unsigned numbers as signed.
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
