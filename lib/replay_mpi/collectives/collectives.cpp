// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/collectives/collectives.hpp"

#include "comm/mpi_error.hpp"
#include "core/error.hpp"
#include "replay_mpi/collectives/issue.hpp"

#include <algorithm>
#include <string>

namespace tracefold {

namespace {

bool is_action(const Action& action) {
    const bool posts = action.kind == Action::Kind::post_collective && action.known;
    return posts || action.kind == Action::Kind::collective;
}

/// How many pieces of the two amounts a call sends from and receives into.
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

/// The same bytes as numbers of eight bytes, which reduce faster, where they divide.
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

/// What was inferred about a call without a record.
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

/// Programs do the same again and again, so that the last one of each kind is kept.
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
        // At the root of a scatter the result stays where it is, elsewhere the contribution.
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

}  // namespace tracefold
