// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// A structure section: decoded, and the calls of its first locations unwound.
#include "file/structure_codec.hpp"
#include "fold/column_families.hpp"
#include "fold/structure_index.hpp"
#include "fuzz/target.hpp"

#include <algorithm>

namespace {

using namespace tracefold;

constexpr u32 kLocations = 8;
constexpr int kCalls = 2000;
constexpr std::size_t kValues = 1U << 20U;
/// Every location takes memory, which is as it should be, but slows a fuzzer down.
constexpr u32 kMaxLocations = 1U << 16U;

void unwind_calls(StructureIndex& index, Stream stream, u32 location) {
    LocationCursor cursor(index, stream, location);
    AppendBuffer<u64> values;
    u32 symbol = 0;
    std::size_t seen = 0;
    for (int i = 0; i < kCalls && seen < kValues && cursor.next(symbol, values); ++i) {
        if (index.structure().symbol_streams[symbol] != stream) std::abort();
        seen += values.size();
    }
}

void decode(std::string_view bytes) {
    Structure structure = decode_structure(bytes, "the input");
    if (structure.location_count > kMaxLocations) return;
    unfold_families(structure, kMaxLocations);
    StructureIndex index(structure);
    const u32 locations = std::min(structure.location_count, kLocations);
    for (u32 location = 0; location < locations; ++location) {
        if (!structure.facts.empty()) index.facts(location);
        for (int stream = 0; stream < kStreams; ++stream) {
            unwind_calls(index, static_cast<Stream>(stream), location);
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return expect_survival(data, size, decode);
}
