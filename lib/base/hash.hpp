// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <string_view>
#include <vector>

namespace tracefold {

/// A 128-bit content hash (XXH3), used as an address. Equal content has equal addresses on every
/// machine; a collision in any set that fits into memory has a probability of about 2^-64.
struct ContentHash {
    u64 low = 0;
    u64 high = 0;

    bool operator==(const ContentHash&) const = default;
    auto operator<=>(const ContentHash&) const = default;
};

/// Hashes a byte string. Cost: linear, no allocation.
ContentHash content_hash(std::string_view bytes);

ContentHash content_hash(const std::vector<u64>& numbers);

/// XXH64 with seed 0: the checksum of the file format.
u64 checksum(std::string_view bytes);

struct ContentHashHasher {
    std::size_t operator()(const ContentHash& hash) const { return hash.low; }
};

/// 2^64 over the golden ratio: spreads neighbours (Knuth, The Art of Computer Programming, 6.4).
inline constexpr u64 kGolden = 0x9E3779B97F4A7C15U;

/// Bijective mixing of 64 bits (the finaliser of MurmurHash3).
constexpr u64 mix(u64 x) {
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdULL;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53ULL;
    x ^= x >> 33;
    return x;
}

}  // namespace tracefold
