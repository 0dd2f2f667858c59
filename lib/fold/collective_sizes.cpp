// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/collective_sizes.hpp"

#include "model/mpi_function.hpp"

namespace tracefold {

namespace {

/// The derivation of a record's two sizes from a payload c, N ranks and the own rank r.
enum class Rule {
    plain,           // payload = sent, residual = received
    from_root,       // Bcast, Scatter: received c; the root sent N*c
    to_root,         // Gather, Reduce: sent c; the root received N*c
    all_to_all,      // sent = received = N*c
    all_gather_v,    // sent N*c, received any
    reduce_scatter,  // received N*c, sent any
    scan,            // sent (N-r)*c, received (r+1)*c
    exscan,          // sent (N-r-1)*c, received r*c
};

Rule rule_of(u64 operation) {
    switch (collective_kind(operation)) {
        case CollectiveKind::bcast:
        case CollectiveKind::scatter:
            return Rule::from_root;
        case CollectiveKind::gather:
        case CollectiveKind::reduce:
            return Rule::to_root;
        case CollectiveKind::allgather:
        case CollectiveKind::alltoall:
        case CollectiveKind::allreduce:
        case CollectiveKind::reduce_scatter_block:
            return Rule::all_to_all;
        case CollectiveKind::allgatherv:
            return Rule::all_gather_v;
        case CollectiveKind::reduce_scatter:
            return Rule::reduce_scatter;
        case CollectiveKind::scan:
            return Rule::scan;
        case CollectiveKind::exscan:
            return Rule::exscan;
        default:
            return Rule::plain;
    }
}

/// Encodes `bytes`: an even code is twice the share, an odd one marks a remainder.
bool share(u64 bytes, u64 parts, u64& code) {
    if (bytes >> 63U != 0) return false;
    const bool divides = parts != 0 && bytes % parts == 0;
    code = divides ? (bytes / parts) << 1U : (bytes << 1U) | 1U;
    return true;
}

u64 total(u64 code, u64 parts) { return (code & 1U) != 0 ? code >> 1U : (code >> 1U) * parts; }

u64 at_root(u64 root, const RankView& view, u64 payload) {
    return root == view.rank ? view.size * payload : 0;
}

/// `first` has `parts` shares of the payload; `second` is predicted as `factor` payloads.
struct Shares {
    bool sent_first;
    u64 parts;
    u64 factor;
};

bool shares_of(Rule rule, const RankView& view, Shares& shares) {
    const u64 size = view.size;
    const u64 rank = view.rank;
    switch (rule) {
        case Rule::all_to_all:
            shares = {true, size, size};
            return true;
        case Rule::all_gather_v:
            shares = {true, size, 0};
            return true;
        case Rule::reduce_scatter:
            shares = {false, size, 0};
            return true;
        case Rule::scan:
            shares = {false, rank + 1, size - rank};
            return true;
        case Rule::exscan:
            shares = rank + 1 < size ? Shares{true, size - rank - 1, rank} : Shares{false, rank, 0};
            return true;
        default:
            return false;
    }
}

}  // namespace

bool fold_sizes(u64 operation, u64 root, const RankView& view, const CollectiveSizes& sizes,
                FoldedSizes& folded) {
    const Rule rule = rule_of(operation);
    Shares shares{};
    if (shares_of(rule, view, shares)) {
        const u64 first = shares.sent_first ? sizes.sent : sizes.received;
        const u64 second = shares.sent_first ? sizes.received : sizes.sent;
        if (!share(first, shares.parts, folded.payload)) return false;
        const bool exact = (folded.payload & 1U) == 0;
        folded.residual = second - (exact ? shares.factor * (folded.payload >> 1U) : 0);
        return true;
    }
    if (rule == Rule::from_root) {
        folded = {sizes.received, sizes.sent - at_root(root, view, sizes.received)};
    } else if (rule == Rule::to_root) {
        folded = {sizes.sent, sizes.received - at_root(root, view, sizes.sent)};
    } else {
        folded = {sizes.sent, sizes.received};
    }
    return true;
}

CollectiveSizes unfold_sizes(u64 operation, u64 root, const RankView& view,
                             const FoldedSizes& folded) {
    const Rule rule = rule_of(operation);
    Shares shares{};
    if (shares_of(rule, view, shares)) {
        const u64 first = total(folded.payload, shares.parts);
        const bool exact = (folded.payload & 1U) == 0;
        const u64 second = folded.residual + (exact ? shares.factor * (folded.payload >> 1U) : 0);
        return shares.sent_first ? CollectiveSizes{first, second} : CollectiveSizes{second, first};
    }
    if (rule == Rule::from_root) {
        return {folded.residual + at_root(root, view, folded.payload), folded.payload};
    }
    if (rule == Rule::to_root) {
        return {folded.payload, folded.residual + at_root(root, view, folded.payload)};
    }
    return {folded.payload, folded.residual};
}

u64 payload_code(u64 operation, u64 bytes) {
    Shares shares{};
    return shares_of(rule_of(operation), RankView{0, 2}, shares) ? bytes << 1U : bytes;
}

u64 payload_bytes(u64 operation, const FoldedSizes& folded) {
    Shares shares{};
    return shares_of(rule_of(operation), RankView{0, 2}, shares) ? folded.payload >> 1U
                                                                 : folded.payload;
}

std::optional<u64> bytes_in_place(u64 operation, u64 members, u64 payload) {
    const Rule rule = rule_of(operation);
    const bool in_parts =
        rule == Rule::all_to_all || rule == Rule::all_gather_v || rule == Rule::reduce_scatter;
    if (!in_parts || members < 2) return std::nullopt;
    const u64 sum = total(payload, members);
    if (sum == 0 || sum % (members - 1) != 0) return std::nullopt;
    return sum / (members - 1);
}

bool must_be_in_place(u64 operation, u64 members, u64 payload) {
    return (payload & 1U) != 0 && bytes_in_place(operation, members, payload).has_value();
}

PeerSizes peer_sizes(u64 operation, u64 root, const RankView& view, const CollectiveSizes& sizes) {
    const Rule rule = rule_of(operation);
    FoldedSizes folded;
    if (rule == Rule::plain || view.size == 0) return {};
    if (!fold_sizes(operation, root, view, sizes, folded)) return {};
    PeerSizes result;
    if (rule == Rule::all_to_all && sizes.sent == sizes.received) {
        result.in_place = bytes_in_place(operation, view.size, folded.payload);
    }
    Shares shares{};
    const bool in_shares = shares_of(rule, view, shares);
    if (folded.residual != 0 || (in_shares && (folded.payload & 1U) != 0)) return result;
    result.bytes = in_shares ? folded.payload >> 1U : folded.payload;
    return result;
}

}  // namespace tracefold
