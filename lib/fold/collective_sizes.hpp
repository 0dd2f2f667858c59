// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/definition_index.hpp"

#include <optional>

namespace tracefold {

/// The sizes that a collective record states (own contribution included) as a payload that is the
/// same on all ranks and a residual that is 0 where MPI's rules explain the record: a broadcast of
/// c bytes states N*c sent and c received at its root, 0 and c elsewhere; both become (c, 0).
struct CollectiveSizes {
    u64 sent = 0;
    u64 received = 0;

    bool operator==(const CollectiveSizes&) const = default;
};

struct FoldedSizes {
    u64 payload = 0;
    u64 residual = 0;
};

/// False if the sizes cannot be expressed (numbers of 2^63 and more); they then stay verbatim.
bool fold_sizes(u64 operation, u64 root, const RankView& view, const CollectiveSizes& sizes,
                FoldedSizes& folded);

/// The exact inverse of fold_sizes().
CollectiveSizes unfold_sizes(u64 operation, u64 root, const RankView& view,
                             const FoldedSizes& folded);

/// The payload of an operation whose every process contributes so many bytes.
u64 payload_code(u64 operation, u64 bytes);

/// Bytes of this rank's own contribution (count times type size), as far as the record tells.
u64 payload_bytes(u64 operation, const FoldedSizes& folded);

/// What each peer gives or gets, if the sizes are those of one payload for all: 8 for a reduction
/// of 8 bytes over 4 ranks, whose record says 32. Nothing for operations whose sizes differ by
/// peer.
std::optional<u64> bytes_per_peer(u64 operation, u64 root, const RankView& view,
                                  const CollectiveSizes& sizes);

}  // namespace tracefold
