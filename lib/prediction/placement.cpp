// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "prediction/placement.hpp"

#include "analysis/rank_groups.hpp"

namespace tracefold {

Placement place_ranks(TraceFile& file, u32 ranks_per_node) {
    const u32 ranks = file.definitions().world_size();
    Placement placement;
    if (ranks_per_node == 0) {
        const ParticipantNames names(file.definitions());
        const RankGroups groups = rank_groups(file, names, GroupBy::node);
        placement.is_recorded = groups.size() > 1 && groups.unknown == kNone;
        if (placement.is_recorded) {
            placement.node_of_rank = groups.group_of;
            placement.nodes = static_cast<u32>(groups.size());
            return placement;
        }
        ranks_per_node = 1;
    }
    for (u32 rank = 0; rank < ranks; ++rank) {
        placement.node_of_rank.push_back(rank / ranks_per_node);
    }
    placement.nodes = ranks == 0 ? 0 : placement.node_of_rank.back() + 1;
    return placement;
}

}  // namespace tracefold
