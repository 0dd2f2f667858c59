// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

namespace tracefold {

/// How the peers of a column are written. The call model gives peers relative to the own rank;
/// which encoding makes most ranks alike depends on the program: neighbours are relative (modulo
/// the size on a torus), partners of a butterfly are exclusive or, servers are absolute.
enum class PeerEncoding : u8 { relative, modulo, exclusive_or, absolute };

inline constexpr int kPeerEncodings = 4;

/// How a location sees the communicator of all peers of one of its columns.
struct PeerView {
    u32 rank = 0;
    u32 size = 0;
    bool usable = false;  ///< one view for the whole column, and all peers are below `size`

    bool operator==(const PeerView&) const = default;
};

/// A relative peer in another encoding. Precondition: rank + relative is below view.size.
constexpr u64 encode_relative_peer(u64 relative, PeerEncoding encoding, u32 rank, u32 size) {
    const u64 peer = relative + rank;
    switch (encoding) {
        case PeerEncoding::relative:
            return relative;
        case PeerEncoding::modulo:
            return peer >= rank ? peer - rank : peer + size - rank;
        case PeerEncoding::exclusive_or:
            return peer ^ rank;
        case PeerEncoding::absolute:
            return peer;
    }
    return relative;
}

/// The inverse of encode_relative_peer().
constexpr u64 relative_peer(u64 value, PeerEncoding encoding, u32 rank, u32 size) {
    switch (encoding) {
        case PeerEncoding::relative:
            return value;
        case PeerEncoding::modulo:
            return value + rank >= size ? value - size : value;
        case PeerEncoding::exclusive_or:
            return (value ^ rank) - rank;
        case PeerEncoding::absolute:
            return value - rank;
    }
    return value;
}

}  // namespace tracefold
