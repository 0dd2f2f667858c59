// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "core/hash.hpp"

#include <xxhash.h>

namespace tracefold {

ContentHash content_hash(std::string_view bytes) {
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return {hash.low64, hash.high64};
}

u64 checksum(std::string_view bytes) { return XXH64(bytes.data(), bytes.size(), 0); }

}  // namespace tracefold
