// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "core/hash.hpp"

#include <xxhash.h>

namespace tracefold {

ContentHash content_hash(std::string_view bytes) {
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return {hash.low64, hash.high64};
}

ContentHash content_hash(const std::vector<u64>& numbers) {
    return content_hash(std::string_view(reinterpret_cast<const char*>(numbers.data()),
                                         numbers.size() * sizeof(u64)));
}

u64 checksum(std::string_view bytes) { return XXH64(bytes.data(), bytes.size(), 0); }

}  // namespace tracefold
