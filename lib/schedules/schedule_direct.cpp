// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/schedule_parts.hpp"

// Every message goes straight to where it is needed, all of them in one round.
namespace tracefold {

namespace {

using Kind = CollectiveKind;

/// Whom a member exchanges data with: the other side, or all others.
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
    // The data of a broadcast are the root's; on the other side nobody says how much they are.
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

/// What `from` sends to `to` in an operation without a root.
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

}  // namespace tracefold
