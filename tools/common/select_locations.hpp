// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/rank_list.hpp"
#include "names/participant_names.hpp"

#include <vector>

namespace tracefold {

/// What --ranks means: true for all locations of these ranks. Throws Error(usage) for ranks that do
/// not exist.
inline std::vector<bool> select_locations(const RankList& ranks, const ParticipantNames& names,
                                          u32 location_count) {
    return ranks.selects_all() ? std::vector<bool>(location_count, true)
                               : names.locations_of(ranks.select(names.rank_count()));
}

}  // namespace tracefold
