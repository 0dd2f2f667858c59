// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/hash.hpp"

#include <bit>
#include <string>

#include <xxhash.h>

namespace tracefold {

ContentHash content_hash(std::string_view bytes) {
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return {hash.low64, hash.high64};
}

/// Hashes the little-endian bytes, which most machines have in memory.
ContentHash content_hash(const std::vector<u64>& numbers) {
    if constexpr (std::endian::native == std::endian::little) {
        return content_hash(std::string_view(reinterpret_cast<const char*>(numbers.data()),
                                             numbers.size() * sizeof(u64)));
    }
    std::string bytes;
    for (const u64 number : numbers) {
        for (u32 shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(number >> shift);
    }
    return content_hash(bytes);
}

u64 checksum(std::string_view bytes) { return XXH64(bytes.data(), bytes.size(), 0); }

}  // namespace tracefold
