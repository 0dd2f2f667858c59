// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/node_clocks.hpp"

#include "analysis/rank_groups.hpp"

#include <utility>
#include <vector>

namespace tracefold {

CommonClock common_clock(TraceFile& file) {
    const ParticipantNames names(file.definitions());
    const RankGroups nodes = rank_groups(file, names, GroupBy::node);
    std::vector<u32> owner_of_node(nodes.size(), kNone);
    std::vector<u32> owners(file.location_count());
    for (u32 location = 0; location < owners.size(); ++location) {
        const u32 rank = names.place(location).rank;
        const bool on_node = rank < nodes.group_of.size() && nodes.group_of[rank] != nodes.unknown;
        owners[location] = location;
        if (!on_node) continue;
        u32& owner = owner_of_node[nodes.group_of[rank]];
        if (owner == kNone) owner = location;
        owners[location] = owner;
    }
    return {file, std::move(owners)};
}

}  // namespace tracefold
