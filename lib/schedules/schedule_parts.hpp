// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "schedules/schedule.hpp"

#include <bit>

namespace tracefold {

/// What the algorithms write their transfers with: the part of one member among `size`.
struct SchedulePart {
    const Exchange& exchange;
    u32 me;
    u32 size;
    std::vector<ScheduledMessage>& out;

    void send(u32 round, u32 to, u64 bytes) const { out.push_back({round, true, to, bytes}); }
    void receive(u32 round, u32 from, u64 bytes) const {
        out.push_back({round, false, from, bytes});
    }
    /// The member `distance` after the own one, the last one followed by the first one.
    [[nodiscard]] u32 after(u32 distance) const { return (me + distance) % size; }
    [[nodiscard]] u32 before(u32 distance) const { return (me + size - distance % size) % size; }
    /// Rounds of an algorithm that doubles: the least k with 2^k >= size.
    [[nodiscard]] u32 doublings() const { return static_cast<u32>(std::bit_width(size - 1)); }
};

/// A vector as nearly equal parts for all members: bytes of the part of one of them.
u64 piece_of(u64 bytes, u32 size, u32 member);

// Each writes its transfers from round `first` on and returns the round after its last one, which
// is the same on all members.

/// From the root to all, and from all to the root, along a binomial tree.
u32 broadcast_tree(const SchedulePart& part, u32 first, u32 root, u64 bytes);
u32 reduce_tree(const SchedulePart& part, u32 first, u32 root, u64 bytes);
/// The same where each member has a block of its own: bytes(first, count) are those of `count`
/// members from `first` on.
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

// One file for each kind of operation; `algorithm` fits it.
void schedule_rooted(const SchedulePart& part, CollectiveAlgorithm algorithm);
void schedule_all(const SchedulePart& part, CollectiveAlgorithm algorithm);
/// Everybody at once: what members of both sides of an intercommunicator do, and `linear`.
void schedule_direct(const SchedulePart& part);

}  // namespace tracefold
