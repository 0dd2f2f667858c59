// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/schedule_parts.hpp"

#include <algorithm>

// Operations without a root.
namespace tracefold {

namespace {

using Algorithm = CollectiveAlgorithm;
using Kind = CollectiveKind;

/// Everybody knows of 1, 2, 4, ... members before them.
u32 disseminate(const SchedulePart& part, u64 bytes) {
    for (u32 round = 0; round < part.doublings(); ++round) {
        part.receive(round, part.before(1U << round), bytes);
        part.send(round, part.after(1U << round), bytes);
    }
    return part.doublings();
}

/// To member 0 and back.
void reduce_and_broadcast(const SchedulePart& part, u64 bytes) {
    broadcast_tree(part, reduce_tree(part, 0, 0, bytes), 0, bytes);
}

/// Pairs at distances 1, 2, 4, ...; of members beyond a power of two, each is stood for by the one
/// before it.
void allreduce_doubling(const SchedulePart& part, u64 bytes) {
    const u32 doubling = std::bit_floor(part.size);
    const u32 extra = part.size - doubling;
    const bool paired = part.me < 2 * extra;
    const bool absent = paired && part.me % 2 == 1;
    const u32 last = 1 + static_cast<u32>(std::bit_width(doubling)) - 1;
    if (absent) {
        part.send(0, part.me - 1, bytes);
        part.receive(last, part.me - 1, bytes);
        return;
    }
    if (paired) part.receive(0, part.me + 1, bytes);
    const u32 place = paired ? part.me / 2 : part.me - extra;
    for (u32 round = 1; round < last; ++round) {
        const u32 other = place ^ (1U << (round - 1));
        const u32 peer = other < extra ? 2 * other : other + extra;
        part.receive(round, peer, bytes);
        part.send(round, peer, bytes);
    }
    if (paired) part.send(last, part.me + 1, bytes);
}

void allreduce(const SchedulePart& part, Algorithm algorithm) {
    const u64 bytes = part.exchange.block(0);
    const auto piece = [&](u32 member) { return piece_of(bytes, part.size, member); };
    switch (algorithm) {
        case Algorithm::ring:
            allgather_ring(part, reduce_scatter_ring(part, 0, piece), piece);
            break;
        case Algorithm::binomial:
            reduce_and_broadcast(part, bytes);
            break;
        case Algorithm::dissemination:
            disseminate(part, bytes);
            break;
        default:
            allreduce_doubling(part, bytes);
    }
}

/// Members gather the blocks of those after them, twice as many in each round.
void allgather_bruck(const SchedulePart& part) {
    for (u32 round = 0; round < part.doublings(); ++round) {
        const u32 distance = 1U << round;
        const u32 count = std::min(distance, part.size - distance);
        part.receive(round, part.after(distance),
                     part.exchange.blocks(part.after(distance), count));
        part.send(round, part.before(distance), part.exchange.blocks(part.me, count));
    }
}

/// Precondition: their number is a power of two.
void allgather_doubling(const SchedulePart& part) {
    for (u32 round = 0; round < part.doublings(); ++round) {
        const u32 count = 1U << round;
        const u32 peer = part.me ^ count;
        const auto start = [count](u32 member) { return member & ~(count - 1); };
        part.receive(round, peer, part.exchange.blocks(start(peer), count));
        part.send(round, peer, part.exchange.blocks(start(part.me), count));
    }
}

void allgather(const SchedulePart& part, Algorithm algorithm) {
    const Exchange& exchange = part.exchange;
    const auto blocks = [&exchange](u32 first, u32 count) { return exchange.blocks(first, count); };
    switch (algorithm) {
        case Algorithm::ring:
            allgather_ring(part, 0, [&exchange](u32 member) { return exchange.block(member); });
            break;
        case Algorithm::recursive_doubling:
            allgather_doubling(part);
            break;
        case Algorithm::binomial:
            broadcast_tree(part, gather_tree(part, 0, 0, blocks), 0, blocks(0, part.size));
            break;
        default:
            allgather_bruck(part);
    }
}

/// Blocks whose distance has bit k move by 2^k in round k.
void alltoall_bruck(const SchedulePart& part) {
    for (u32 round = 0; round < part.doublings(); ++round) {
        const u32 bit = 1U << round;
        u64 moving = 0;
        for (u32 distance = 1; distance < part.size; ++distance) moving += (distance & bit) / bit;
        const u64 bytes = moving * part.exchange.block(part.me);
        part.receive(round, part.before(bit), bytes);
        part.send(round, part.after(bit), bytes);
    }
}

/// In the k-th round with the members at distance k.
void alltoall_pairwise(const SchedulePart& part) {
    for (u32 step = 1; step < part.size; ++step) {
        part.receive(step - 1, part.before(step), part.exchange.block(part.me));
        part.send(step - 1, part.after(step), part.exchange.block(part.me));
    }
}

/// Empty messages are not sent.
void matrix_pairwise(const SchedulePart& part) {
    std::vector<u64> sent;
    std::vector<u64> received;
    part.exchange.sends(part.me, sent);
    part.exchange.receives(part.me, received);
    for (u32 step = 1; step < part.size; ++step) {
        const u64 in = received[part.before(step)];
        const u64 out = sent[part.after(step)];
        if (in != 0) part.receive(step - 1, part.before(step), in);
        if (out != 0) part.send(step - 1, part.after(step), out);
    }
}

void reduce_scatter(const SchedulePart& part, Algorithm algorithm) {
    const Exchange& exchange = part.exchange;
    const auto blocks = [&exchange](u32 first, u32 count) { return exchange.blocks(first, count); };
    if (algorithm == Algorithm::ring) {
        reduce_scatter_ring(part, 0, [&exchange](u32 member) { return exchange.block(member); });
    } else if (algorithm == Algorithm::binomial) {
        scatter_tree(part, reduce_tree(part, 0, 0, blocks(0, part.size)), 0, blocks);
    } else {
        for (u32 step = 1; step < part.size; ++step) {
            part.receive(step - 1, part.before(step), exchange.block(part.me));
            part.send(step - 1, part.after(step), exchange.block(part.after(step)));
        }
    }
}

void scan(const SchedulePart& part, Algorithm algorithm) {
    const u64 bytes = part.exchange.block(0);
    if (algorithm == Algorithm::ring) {
        if (part.me > 0) part.receive(part.me - 1, part.me - 1, bytes);
        if (part.me + 1 < part.size) part.send(part.me, part.me + 1, bytes);
        return;
    }
    for (u32 round = 0; round < part.doublings(); ++round) {
        const u32 distance = 1U << round;
        if (part.me >= distance) part.receive(round, part.me - distance, bytes);
        if (part.me + distance < part.size) part.send(round, part.me + distance, bytes);
    }
}

}  // namespace

void schedule_all(const SchedulePart& part, CollectiveAlgorithm algorithm) {
    switch (part.exchange.kind()) {
        case Kind::allreduce:
            return allreduce(part, algorithm);
        case Kind::allgather:
        case Kind::allgatherv:
            return allgather(part, algorithm);
        case Kind::alltoall:
            return algorithm == Algorithm::bruck ? alltoall_bruck(part) : alltoall_pairwise(part);
        case Kind::alltoallv:
        case Kind::alltoallw:
            return matrix_pairwise(part);
        case Kind::reduce_scatter:
        case Kind::reduce_scatter_block:
            return reduce_scatter(part, algorithm);
        case Kind::scan:
        case Kind::exscan:
            return scan(part, algorithm);
        default:
            break;
    }
    if (algorithm == Algorithm::binomial) return reduce_and_broadcast(part, 0);
    disseminate(part, 0);
}

}  // namespace tracefold
