// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/trace_clock.hpp"

#include "analysis/node_clocks.hpp"

namespace tracefold {

TraceClocks::TraceClocks(TraceFile& file)
    : nanoseconds_(file.definitions()), map_of_(file.location_count(), kNone) {
    const std::vector<u32> owners = clock_owners(file);
    for (u32 location = 0; location < map_of_.size(); ++location) {
        u32& map = map_of_[owners[location]];
        if (map == kNone) {
            map = static_cast<u32>(maps_.size());
            maps_.emplace_back(file, owners[location]);
        }
        map_of_[location] = map;
    }
}

}  // namespace tracefold
