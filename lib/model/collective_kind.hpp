// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <string_view>

// clang-format off
/// Every collective operation of OTF2 3.2, once, in the order of OTF2_CollectiveOp: X(name).
#define TRACEFOLD_COLLECTIVE_KINDS(X)                                                            \
    X(barrier) X(bcast) X(gather) X(gatherv) X(scatter) X(scatterv) X(allgather) X(allgatherv)   \
    X(alltoall) X(alltoallv) X(alltoallw) X(allreduce) X(reduce) X(reduce_scatter) X(scan)       \
    X(exscan) X(reduce_scatter_block) X(create_handle) X(destroy_handle) X(allocate)             \
    X(deallocate) X(create_handle_and_allocate) X(destroy_handle_and_deallocate)
// clang-format on

namespace tracefold {

enum class CollectiveKind : u8 {
#define TRACEFOLD_ENUMERATOR(name) name,
    TRACEFOLD_COLLECTIVE_KINDS(TRACEFOLD_ENUMERATOR)
#undef TRACEFOLD_ENUMERATOR
};

/// "barrier", by kind.
inline constexpr std::string_view kCollectiveNames[] = {
#define TRACEFOLD_NAME(name) #name,
    TRACEFOLD_COLLECTIVE_KINDS(TRACEFOLD_NAME)
#undef TRACEFOLD_NAME
};
inline constexpr std::size_t kCollectiveKinds = std::size(kCollectiveNames);

/// The kind with this number in OTF2. Numbers that OTF2 3.2 does not define have no enumerator.
constexpr CollectiveKind collective_kind(u64 number) {
    return static_cast<CollectiveKind>(number < 0xFF ? number : 0xFF);
}

/// True for the collectives of MPI that synchronise or move data, false for those that create and
/// free communicators, windows and files.
constexpr bool is_communication(CollectiveKind kind) {
    return kind <= CollectiveKind::reduce_scatter_block;
}

/// True for those of them that move data: all but the barrier.
constexpr bool moves_data(CollectiveKind kind) {
    return is_communication(kind) && kind != CollectiveKind::barrier;
}

constexpr bool creates_handle(CollectiveKind kind) {
    return kind == CollectiveKind::create_handle || kind == CollectiveKind::allocate ||
           kind == CollectiveKind::create_handle_and_allocate;
}

constexpr bool destroys_handle(CollectiveKind kind) {
    return kind == CollectiveKind::destroy_handle || kind == CollectiveKind::deallocate ||
           kind == CollectiveKind::destroy_handle_and_deallocate;
}

/// True if one process is the source or the destination of all data.
constexpr bool has_root(CollectiveKind kind) {
    switch (kind) {
        case CollectiveKind::bcast:
        case CollectiveKind::gather:
        case CollectiveKind::gatherv:
        case CollectiveKind::scatter:
        case CollectiveKind::scatterv:
        case CollectiveKind::reduce:
            return true;
        default:
            return false;
    }
}

}  // namespace tracefold
