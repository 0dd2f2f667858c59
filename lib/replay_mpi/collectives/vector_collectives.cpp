// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/collectives/vector_collectives.hpp"

#include "comm/mpi_error.hpp"
#include "core/error.hpp"
#include "replay_mpi/collectives/issue.hpp"

#include <algorithm>
#include <string>

namespace tracefold {

int mpi_root(u32 root) {
    if (root == kRootSelf) return MPI_ROOT;
    return root == kRootThisGroup ? MPI_PROC_NULL : static_cast<int>(root);
}

void VectorCollectives::prepare(const CollectivePart& part) {
    sizes_.record(part.comm, {part.sent, part.received});
    const CollectiveScope& scope = scopes_.of(part.comm);
    const u64 sent = amounts_.scaled(part.sent);
    const u64 received = amounts_.scaled(part.received);
    // What stays in place is in no size, but at most as large as what is exchanged with another.
    const u64 others = std::max<u64>(scope.partners, 2) - 1;
    switch (part.kind) {
        case CollectiveKind::allgatherv:
            buffers_.expect_outgoing(sent / others);
            buffers_.expect_incoming(received + sent / others);
            break;
        case CollectiveKind::reduce_scatter:
            buffers_.expect_outgoing(sent + received / others);
            buffers_.expect_incoming(sent + received / others);
            break;
        case CollectiveKind::alltoallv:
        case CollectiveKind::alltoallw:
            inferences_.count(Inference::all_to_all);
            [[fallthrough]];
        default:
            buffers_.expect_outgoing(sent);
            buffers_.expect_incoming(received);
            break;
    }
}

VectorCollectives::Arrays& VectorCollectives::free_arrays() {
    const auto found = std::find_if(arrays_.begin(), arrays_.end(),
                                    [](const Arrays& arrays) { return !arrays.in_use; });
    return found == arrays_.end() ? arrays_.emplace_back() : *found;
}

void VectorCollectives::complete(u64 id) {
    for (Arrays& arrays : arrays_) {
        if (arrays.in_use && arrays.id == id) arrays.in_use = false;
    }
}

/// Pieces one after another; returns the sum.
u64 VectorCollectives::lay_out(const std::vector<u64>& sizes, std::vector<int>& counts,
                               std::vector<int>& places) {
    counts.clear();
    places.clear();
    u64 total = 0;
    for (const u64 size : sizes) {
        const u64 bytes = amounts_.scaled(size);
        if (total + bytes > Amounts::kMaxCount) {
            throw Error(ErrorKind::unsupported,
                        "a collective of more than 2 GiB with a count per process cannot be "
                        "replayed; use --bytes-scale");
        }
        counts.push_back(static_cast<int>(bytes));
        places.push_back(static_cast<int>(total));
        total += bytes;
    }
    return total;
}

void VectorCollectives::issue(const CollectivePart& part, u64 id, MPI_Request* request) {
    const SizeExchange::Sizes sizes = sizes_.next(part.comm);
    const CollectiveScope& scope = scopes_.of(part.comm);
    vector_arguments(part, scope, sizes.own_group, sizes.other_group, arguments_);
    Arrays& arrays = free_arrays();
    arrays.in_use = request != nullptr;
    arrays.id = id;
    issue(part.kind, part, arrays, request);
}

void VectorCollectives::issue(CollectiveKind kind, const CollectivePart& part, Arrays& a,
                              MPI_Request* request) {
    const u64 sent = lay_out(arguments_.send, a.send_counts, a.send_places);
    const u64 received = lay_out(arguments_.receive, a.receive_counts, a.receive_places);
    const Amount own = amounts_.of(arguments_.own);
    const MPI_Comm comm = communicators_.handle(part.comm);
    const int root = mpi_root(part.root);
    switch (kind) {
        case CollectiveKind::gatherv:
            TRACEFOLD_ISSUE(Gatherv, Igatherv, buffers_.outgoing(own.bytes), own.count, own.type,
                            buffers_.incoming(received), a.receive_counts.data(),
                            a.receive_places.data(), MPI_BYTE, root, comm);
            break;
        case CollectiveKind::scatterv:
            TRACEFOLD_ISSUE(Scatterv, Iscatterv, buffers_.outgoing(sent), a.send_counts.data(),
                            a.send_places.data(), MPI_BYTE, buffers_.incoming(own.bytes), own.count,
                            own.type, root, comm);
            break;
        case CollectiveKind::allgatherv: {
            const void* out = arguments_.in_place ? MPI_IN_PLACE : buffers_.outgoing(own.bytes);
            TRACEFOLD_ISSUE(Allgatherv, Iallgatherv, out, own.count, own.type,
                            buffers_.incoming(received), a.receive_counts.data(),
                            a.receive_places.data(), MPI_BYTE, comm);
            break;
        }
        case CollectiveKind::alltoallv:
            TRACEFOLD_ISSUE(Alltoallv, Ialltoallv, buffers_.outgoing(sent), a.send_counts.data(),
                            a.send_places.data(), MPI_BYTE, buffers_.incoming(received),
                            a.receive_counts.data(), a.receive_places.data(), MPI_BYTE, comm);
            break;
        case CollectiveKind::alltoallw:
            a.types.assign(a.send_counts.size(), MPI_BYTE);
            TRACEFOLD_ISSUE(Alltoallw, Ialltoallw, buffers_.outgoing(sent), a.send_counts.data(),
                            a.send_places.data(), a.types.data(), buffers_.incoming(received),
                            a.receive_counts.data(), a.receive_places.data(), a.types.data(), comm);
            break;
        case CollectiveKind::reduce_scatter: {
            const void* out = arguments_.in_place ? MPI_IN_PLACE : buffers_.outgoing(received);
            TRACEFOLD_ISSUE(Reduce_scatter, Ireduce_scatter, out, buffers_.incoming(received),
                            a.receive_counts.data(), MPI_BYTE, MPI_BXOR, comm);
            break;
        }
        default:
            break;
    }
}

}  // namespace tracefold
