// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/definition_index.hpp"

#include <optional>

namespace tracefold {

/// The sizes of a collective record (own contribution included), folded to a payload that is equal
/// on all ranks and a residual that is 0 where MPI's rules explain the record: a broadcast of c
/// bytes records N*c sent and c received at its root, 0 and c elsewhere; both become (c, 0).
struct CollectiveSizes {
    u64 sent = 0;
    u64 received = 0;

    bool operator==(const CollectiveSizes&) const = default;
};

struct FoldedSizes {
    u64 payload = 0;
    u64 residual = 0;
};

/// Returns false if the sizes cannot be expressed (2^63 and more); they then stay verbatim.
bool fold_sizes(u64 operation, u64 root, const RankView& view, const CollectiveSizes& sizes,
                FoldedSizes& folded);

/// The exact inverse of fold_sizes().
CollectiveSizes unfold_sizes(u64 operation, u64 root, const RankView& view,
                             const FoldedSizes& folded);

/// Returns the payload of an operation with this contribution per process.
u64 payload_code(u64 operation, u64 bytes);

/// This rank's own contribution in bytes (count times type size), if known from the record.
u64 payload_bytes(u64 operation, const FoldedSizes& folded);

/// Returns the own contribution if the call used MPI_IN_PLACE, which records a part for each of the
/// other members only: 8 for a reduction of 8 bytes over 4 ranks, recorded as 24. Nothing if the
/// size excludes it, or if the operation leaves no doubt. `payload`: of fold_sizes().
std::optional<u64> bytes_in_place(u64 operation, u64 members, u64 payload);

/// Returns whether only MPI_IN_PLACE explains the size: it has no part for every member.
bool must_be_in_place(u64 operation, u64 members, u64 payload);

/// Sizes per peer as far as a record tells; both if it does not show whether the call used
/// MPI_IN_PLACE.
struct PeerSizes {
    std::optional<u64> bytes;     ///< 8 for a reduction of 8 bytes over 4 ranks, recorded as 32
    std::optional<u64> in_place;  ///< if the call used MPI_IN_PLACE
};

/// Returns the sizes per peer; none for operations whose sizes differ by peer.
PeerSizes peer_sizes(u64 operation, u64 root, const RankView& view, const CollectiveSizes& sizes);

}  // namespace tracefold
