// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/schedule_parts.hpp"

#include <algorithm>

// Operations with a root.
namespace tracefold {

u64 piece_of(u64 bytes, u32 size, u32 member) {
    return bytes / size + (member < bytes % size ? 1 : 0);
}

u32 broadcast_tree(const SchedulePart& part, u32 first, u32 root, u64 bytes) {
    return scatter_tree(part, first, root, [bytes](u32, u32) { return bytes; });
}

u32 reduce_tree(const SchedulePart& part, u32 first, u32 root, u64 bytes) {
    return gather_tree(part, first, root, [bytes](u32, u32) { return bytes; });
}

namespace {

/// A long broadcast: every member gets a piece, and all of them go round.
void broadcast_ring(const SchedulePart& part) {
    const u64 bytes = part.exchange.block(part.exchange.root());
    const auto piece = [&](u32 member) { return piece_of(bytes, part.size, member); };
    const auto pieces = [&](u32 first, u32 count) {
        u64 sum = 0;
        for (u32 i = 0; i < count; ++i) sum += piece((first + i) % part.size);
        return sum;
    };
    const u32 next = scatter_tree(part, 0, part.exchange.root(), pieces);
    allgather_ring(part, next, piece);
}

}  // namespace

void schedule_rooted(const SchedulePart& part, CollectiveAlgorithm algorithm) {
    const Exchange& exchange = part.exchange;
    const u32 root = exchange.root();
    const auto blocks = [&exchange](u32 first, u32 count) { return exchange.blocks(first, count); };
    switch (exchange.kind()) {
        case CollectiveKind::bcast:
            if (algorithm == CollectiveAlgorithm::ring) return broadcast_ring(part);
            broadcast_tree(part, 0, root, exchange.block(root));
            break;
        case CollectiveKind::reduce:
            reduce_tree(part, 0, root, exchange.block(root));
            break;
        case CollectiveKind::gather:
        case CollectiveKind::gatherv:
            gather_tree(part, 0, root, blocks);
            break;
        default:
            scatter_tree(part, 0, root, blocks);
    }
}

}  // namespace tracefold
