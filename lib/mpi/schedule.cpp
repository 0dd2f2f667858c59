// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/schedule.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace tracefold {

/// The schedule of one member among `size`, as the algorithms write it.
struct SchedulePart {
    const Exchange& exchange;
    u32 me;
    u32 size;
    std::vector<ScheduledMessage>& out;

    void send(u32 round, u32 to, u64 bytes) const { out.push_back({round, true, to, bytes}); }
    void receive(u32 round, u32 from, u64 bytes) const {
        out.push_back({round, false, from, bytes});
    }
    /// The member at `distance` after the own one, cyclically.
    [[nodiscard]] u32 after(u32 distance) const { return (me + distance) % size; }
    [[nodiscard]] u32 before(u32 distance) const { return (me + size - distance % size) % size; }
    /// Rounds of a doubling algorithm: the least k with 2^k >= size.
    [[nodiscard]] u32 doublings() const { return static_cast<u32>(std::bit_width(size - 1)); }
};

/// Splits a vector into nearly equal pieces for all members: the bytes of one piece.
u64 piece_of(u64 bytes, u32 size, u32 member);

// Each function writes transfers from round `first` on; returns the next round, equal on all.

/// From the root to all, and from all to the root, along a binomial tree.
u32 broadcast_tree(const SchedulePart& part, u32 first, u32 root, u64 bytes);
u32 reduce_tree(const SchedulePart& part, u32 first, u32 root, u64 bytes);
/// Trees with a block per member: bytes(first, count) are those of `count` members from `first`.
template <class Bytes>
u32 scatter_tree(const SchedulePart& part, u32 first, u32 root, const Bytes& bytes);
template <class Bytes>
u32 gather_tree(const SchedulePart& part, u32 first, u32 root, const Bytes& bytes);

/// Every member's block travels round the ring; bytes(member).
template <class Bytes>
u32 allgather_ring(const SchedulePart& part, u32 first, const Bytes& bytes) {
    for (u32 step = 0; step + 1 < part.size; ++step) {
        part.receive(first + step, part.before(1), bytes(part.before(step + 1)));
        part.send(first + step, part.after(1), bytes(part.before(step)));
    }
    return first + part.size - 1;
}

/// Partial sums of every member's block travel round the ring, and end at that member.
template <class Bytes>
u32 reduce_scatter_ring(const SchedulePart& part, u32 first, const Bytes& bytes) {
    for (u32 step = 0; step + 1 < part.size; ++step) {
        part.receive(first + step, part.before(1), bytes(part.before(step + 2)));
        part.send(first + step, part.after(1), bytes(part.before(step + 1)));
    }
    return first + part.size - 1;
}

template <class Bytes>
u32 scatter_tree(const SchedulePart& part, u32 first, u32 root, const Bytes& bytes) {
    const u32 rounds = part.doublings();
    const u32 place = (part.me + part.size - root) % part.size;
    for (u32 round = 0; round < rounds; ++round) {
        const u32 half = 1U << (rounds - 1 - round);
        if (place % (2 * half) == 0 && place + half < part.size) {
            const u32 to = part.after(half);
            part.send(first + round, to, bytes(to, std::min(half, part.size - place - half)));
        } else if (place % (2 * half) == half) {
            part.receive(first + round, part.before(half),
                         bytes(part.me, std::min(half, part.size - place)));
        }
    }
    return first + rounds;
}

template <class Bytes>
u32 gather_tree(const SchedulePart& part, u32 first, u32 root, const Bytes& bytes) {
    const u32 rounds = part.doublings();
    const u32 place = (part.me + part.size - root) % part.size;
    for (u32 round = 0; round < rounds; ++round) {
        const u32 half = 1U << round;
        if (place % (2 * half) == 0 && place + half < part.size) {
            const u32 from = part.after(half);
            part.receive(first + round, from,
                         bytes(from, std::min(half, part.size - place - half)));
        } else if (place % (2 * half) == half) {
            part.send(first + round, part.before(half),
                      bytes(part.me, std::min(half, part.size - place)));
        }
    }
    return first + rounds;
}

// One function for each kind of operation; `algorithm` fits it.
void schedule_rooted(const SchedulePart& part, CollectiveAlgorithm algorithm);
void schedule_all(const SchedulePart& part, CollectiveAlgorithm algorithm);
/// All transfers in one round: for intercommunicators, and `linear`.
void schedule_direct(const SchedulePart& part);

namespace {

using Algorithm = CollectiveAlgorithm;
using Kind = CollectiveKind;

constexpr std::array kWords = {
#define TRACEFOLD_WORD(name, word) std::string_view(word),
    TRACEFOLD_ALGORITHMS(TRACEFOLD_WORD)
#undef TRACEFOLD_WORD
};

// Sizes at which algorithms change, close to those of common MPI libraries.
constexpr u64 kLongBroadcast = 12288;
constexpr u64 kLongReduction = 2048;
constexpr u64 kLongGather = 81920;
constexpr u64 kShortAlltoall = 256;
constexpr u64 kLongAlltoall = 32768;
constexpr u32 kFewMembers = 8;

/// The algorithms that fit; the first one replaces all others.
std::span<const Algorithm> algorithms_of(Kind kind) {
    static constexpr std::array kBarrier = {Algorithm::dissemination, Algorithm::linear,
                                            Algorithm::binomial};
    static constexpr std::array kBroadcast = {Algorithm::binomial, Algorithm::linear,
                                              Algorithm::ring};
    static constexpr std::array kTree = {Algorithm::binomial, Algorithm::linear};
    static constexpr std::array kRooted = {Algorithm::linear, Algorithm::binomial};
    static constexpr std::array kAllreduce = {Algorithm::recursive_doubling, Algorithm::linear,
                                              Algorithm::ring, Algorithm::binomial,
                                              Algorithm::dissemination};
    static constexpr std::array kAllgather = {Algorithm::bruck, Algorithm::linear, Algorithm::ring,
                                              Algorithm::recursive_doubling, Algorithm::binomial};
    static constexpr std::array kAlltoall = {Algorithm::pairwise, Algorithm::linear,
                                             Algorithm::bruck};
    static constexpr std::array kMatrix = {Algorithm::pairwise, Algorithm::linear};
    static constexpr std::array kReduceScatter = {Algorithm::pairwise, Algorithm::linear,
                                                  Algorithm::ring, Algorithm::binomial};
    static constexpr std::array kScan = {Algorithm::recursive_doubling, Algorithm::linear,
                                         Algorithm::ring};
    switch (kind) {
        case Kind::barrier:
            return kBarrier;
        case Kind::bcast:
            return kBroadcast;
        case Kind::reduce:
        case Kind::gather:
        case Kind::scatter:
            return kTree;
        case Kind::gatherv:
        case Kind::scatterv:
            return kRooted;
        case Kind::allreduce:
            return kAllreduce;
        case Kind::allgather:
        case Kind::allgatherv:
            return kAllgather;
        case Kind::alltoall:
            return kAlltoall;
        case Kind::alltoallv:
        case Kind::alltoallw:
            return kMatrix;
        case Kind::reduce_scatter:
        case Kind::reduce_scatter_block:
            return kReduceScatter;
        case Kind::scan:
        case Kind::exscan:
            return kScan;
        default:
            break;
    }
    return kBarrier;
}

Algorithm automatic(const Exchange& exchange) {
    const u32 size = exchange.size();
    switch (exchange.kind()) {
        case Kind::bcast:
            return exchange.block(0) < kLongBroadcast || size < kFewMembers ? Algorithm::binomial
                                                                            : Algorithm::ring;
        case Kind::allreduce:
            return exchange.block(0) <= kLongReduction || size < kFewMembers
                       ? Algorithm::recursive_doubling
                       : Algorithm::ring;
        case Kind::allgather:
        case Kind::allgatherv:
            if (exchange.blocks(0, size) > kLongGather) return Algorithm::ring;
            return std::has_single_bit(size) ? Algorithm::recursive_doubling : Algorithm::bruck;
        case Kind::alltoall:
            if (exchange.block(0) <= kShortAlltoall && size >= kFewMembers) return Algorithm::bruck;
            return exchange.block(0) <= kLongAlltoall ? Algorithm::linear : Algorithm::pairwise;
        default:
            return algorithms_of(exchange.kind()).front();
    }
}

}  // namespace

std::span<const std::string_view> algorithm_words() { return kWords; }

CollectiveAlgorithm fitting_algorithm(const Exchange& exchange, CollectiveAlgorithm algorithm) {
    if (exchange.is_inter()) return Algorithm::linear;
    if (algorithm == Algorithm::automatic) return automatic(exchange);
    const std::span<const Algorithm> fitting = algorithms_of(exchange.kind());
    if (std::ranges::find(fitting, algorithm) == fitting.end()) return fitting.front();
    const bool gathers = exchange.kind() == Kind::allgather || exchange.kind() == Kind::allgatherv;
    const bool doubles = gathers && algorithm == Algorithm::recursive_doubling;
    return doubles && !std::has_single_bit(exchange.size()) ? Algorithm::bruck : algorithm;
}

void make_schedule(const Exchange& exchange, u32 member, CollectiveAlgorithm algorithm,
                   std::vector<ScheduledMessage>& out) {
    out.clear();
    if (exchange.size() < 2) return;
    const Algorithm chosen = fitting_algorithm(exchange, algorithm);
    const SchedulePart part{exchange, member, exchange.size(), out};
    if (chosen == Algorithm::linear) {
        schedule_direct(part);
    } else if (has_root(exchange.kind())) {
        schedule_rooted(part, chosen);
    } else {
        schedule_all(part, chosen);
    }
}

// Operations without a root.

namespace {

using Algorithm = CollectiveAlgorithm;
using Kind = CollectiveKind;

/// Every member learns of 1, 2, 4, ... members before it.
u32 disseminate(const SchedulePart& part, u64 bytes) {
    for (u32 round = 0; round < part.doublings(); ++round) {
        part.receive(round, part.before(1U << round), bytes);
        part.send(round, part.after(1U << round), bytes);
    }
    return part.doublings();
}

/// Reduces to member 0, then broadcasts.
void reduce_and_broadcast(const SchedulePart& part, u64 bytes) {
    broadcast_tree(part, reduce_tree(part, 0, 0, bytes), 0, bytes);
}

/// Pairs at distances 1, 2, 4, ...; predecessors represent members beyond a power of two.
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

/// Members gather the blocks of their successors, twice as many in each round.
void allgather_bruck(const SchedulePart& part) {
    for (u32 round = 0; round < part.doublings(); ++round) {
        const u32 distance = 1U << round;
        const u32 count = std::min(distance, part.size - distance);
        part.receive(round, part.after(distance),
                     part.exchange.blocks(part.after(distance), count));
        part.send(round, part.before(distance), part.exchange.blocks(part.me, count));
    }
}

/// Precondition: the size is a power of two.
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

/// Round k: the members at distance k.
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

// Every message goes directly to its destination, all in one round.

namespace {

using Kind = CollectiveKind;

/// The partners of a member: the other side, or all others.
struct Partners {
    u32 first;
    u32 last;
};

Partners partners_of(const Exchange& exchange, u32 member) {
    if (!exchange.is_inter()) return {0, exchange.size()};
    if (member < exchange.first_side()) return {exchange.first_side(), exchange.size()};
    return {0, exchange.first_side()};
}

bool from_root(Kind kind) {
    return kind == Kind::bcast || kind == Kind::scatter || kind == Kind::scatterv;
}

bool to_root(Kind kind) {
    return kind == Kind::reduce || kind == Kind::gather || kind == Kind::gatherv;
}

/// A message between the root and `member`.
u64 rooted_bytes(const Exchange& exchange, u32 member) {
    // Only the root knows the size of a broadcast; the other side records none.
    return exchange.block(exchange.kind() == Kind::bcast ? exchange.root() : member);
}

void rooted(const SchedulePart& part) {
    const Exchange& exchange = part.exchange;
    const u32 root = exchange.root();
    if (root == kNone) return;
    const Partners partners = partners_of(exchange, root);
    if (part.me != root) {
        if (part.me < partners.first || part.me >= partners.last) return;
        if (from_root(exchange.kind())) {
            part.receive(0, root, rooted_bytes(exchange, part.me));
        } else {
            part.send(0, root, rooted_bytes(exchange, part.me));
        }
        return;
    }
    for (u32 peer = partners.first; peer < partners.last; ++peer) {
        if (peer == root) continue;
        if (from_root(exchange.kind())) {
            part.send(0, peer, rooted_bytes(exchange, peer));
        } else {
            part.receive(0, peer, rooted_bytes(exchange, peer));
        }
    }
}

/// Bytes from `from` to `to` in an operation without a root.
u64 pair_bytes(const Exchange& exchange, u32 from, u32 to) {
    switch (exchange.kind()) {
        case Kind::barrier:
            return 0;
        case Kind::reduce_scatter:
        case Kind::reduce_scatter_block:
            return exchange.block(to);
        default:
            return exchange.block(from);
    }
}

/// Empty messages are not sent.
void matrix(const SchedulePart& part) {
    const Partners partners = partners_of(part.exchange, part.me);
    std::vector<u64> sizes;
    part.exchange.receives(part.me, sizes);
    for (u32 peer = partners.first; peer < partners.last; ++peer) {
        const u64 bytes = sizes[peer - partners.first];
        if (peer != part.me && bytes != 0) part.receive(0, peer, bytes);
    }
    part.exchange.sends(part.me, sizes);
    for (u32 peer = partners.first; peer < partners.last; ++peer) {
        const u64 bytes = sizes[peer - partners.first];
        if (peer != part.me && bytes != 0) part.send(0, peer, bytes);
    }
}

}  // namespace

void schedule_direct(const SchedulePart& part) {
    const Exchange& exchange = part.exchange;
    const Kind kind = exchange.kind();
    if (from_root(kind) || to_root(kind)) return rooted(part);
    if (kind == Kind::alltoallv || kind == Kind::alltoallw) return matrix(part);
    const bool upwards = kind == Kind::scan || kind == Kind::exscan;
    const Partners partners = partners_of(exchange, part.me);
    for (u32 peer = partners.first; peer < partners.last; ++peer) {
        if (peer == part.me || (upwards && peer > part.me)) continue;
        part.receive(0, peer, pair_bytes(exchange, peer, part.me));
    }
    for (u32 peer = partners.first; peer < partners.last; ++peer) {
        if (peer == part.me || (upwards && peer < part.me)) continue;
        part.send(0, peer, pair_bytes(exchange, part.me, peer));
    }
}

// Operations with a root.

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

/// A long broadcast: scatters pieces, then passes them round the ring.
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
