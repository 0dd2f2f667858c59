// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "clocks/process_clocks.hpp"

#include <optional>
#include <unordered_map>

namespace tracefold::inline clocks {

ProcessClocks::ProcessClocks(TraceFile& file) {
    const DefinitionIndex& definitions = file.definitions();
    std::unordered_map<u64, u32> numbers;  // by rank, or by location group where there is none
    for (u32 location = 0; location < file.location_count(); ++location) {
        const LocationDefinition& definition = definitions.locations()[location];
        const std::optional<u32> rank = definitions.world_rank(definition);
        const u64 key = rank ? *rank : definitions.world_size() + definition.group;
        const auto number = static_cast<u32>(numbers.size());
        process_of_.push_back(numbers.try_emplace(key, number).first->second);
        maps_.emplace_back(file, location);
    }
    corrections_.resize(numbers.size());
}

}  // namespace tracefold::inline clocks
