// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/location_blocks.hpp"

#include <unordered_map>

namespace tracefold {

std::vector<u32> location_block(const std::vector<LocationDefinition>& locations, int rank,
                                int size) {
    std::unordered_map<u64, u64> number_of;
    for (const LocationDefinition& location : locations) {
        number_of.emplace(location.group, number_of.size());
    }
    const u64 groups = number_of.size();
    const u64 begin = groups * static_cast<u64>(rank) / static_cast<u64>(size);
    const u64 end = groups * static_cast<u64>(rank + 1) / static_cast<u64>(size);
    std::vector<u32> block;
    for (u32 i = 0; i < locations.size(); ++i) {
        const u64 number = number_of[locations[i].group];
        if (number >= begin && number < end) block.push_back(i);
    }
    return block;
}

}  // namespace tracefold
