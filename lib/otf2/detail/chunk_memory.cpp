// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/detail/chunk_memory.hpp"

#include "core/types.hpp"

#include <memory>
#include <new>
#include <vector>

namespace tracefold::inline otf2::detail {
namespace {

/// Writing more than one chunk at a time gains nothing.
constexpr std::size_t kMostChunks = 2;

/// The chunks of one open file, used again after each flush.
struct Chunks {
    std::vector<std::unique_ptr<u8[]>> all;
    std::size_t used = 0;
};

void* allocate(void*, OTF2_FileType, OTF2_LocationRef, void** buffer, u64 size) noexcept {
    try {
        if (*buffer == nullptr) *buffer = std::make_unique<Chunks>().release();
        auto& chunks = *static_cast<Chunks*>(*buffer);
        if (chunks.used == kMostChunks) return nullptr;
        if (chunks.used == chunks.all.size()) {
            chunks.all.push_back(std::make_unique_for_overwrite<u8[]>(size));
        }
        return chunks.all[chunks.used++].get();
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void free_all(void*, OTF2_FileType, OTF2_LocationRef, void** buffer, bool last) noexcept {
    auto* const chunks = static_cast<Chunks*>(*buffer);
    if (chunks == nullptr) return;
    chunks->used = 0;
    if (!last) return;
    delete chunks;  // NOLINT(cppcoreguidelines-owning-memory): libotf2 keeps the pointer
    *buffer = nullptr;
}

}  // namespace

const OTF2_MemoryCallbacks kChunkMemory{allocate, free_all};

}  // namespace tracefold::inline otf2::detail
