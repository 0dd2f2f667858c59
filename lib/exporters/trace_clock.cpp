// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/trace_clock.hpp"

#include "analysis/rank_groups.hpp"

namespace tracefold {

TraceClocks::TraceClocks(TraceFile& file)
    : nanoseconds_(file.definitions()), map_of_(file.location_count(), kNone) {
    const ParticipantNames names(file.definitions());
    const RankGroups nodes = rank_groups(file, names, GroupBy::node);
    std::vector<u32> map_of_node(nodes.size(), kNone);
    for (u32 location = 0; location < map_of_.size(); ++location) {
        const u32 rank = names.place(location).rank;
        const bool on_node = rank < nodes.group_of.size() && nodes.group_of[rank] != nodes.unknown;
        u32& map = on_node ? map_of_node[nodes.group_of[rank]] : map_of_[location];
        if (map == kNone) {
            map = static_cast<u32>(maps_.size());
            maps_.emplace_back(file, location);
        }
        map_of_[location] = map;
    }
}

}  // namespace tracefold
