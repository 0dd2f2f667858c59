// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/rank_communicators.hpp"

#include "model/definition_index.hpp"

#include <span>
#include <unordered_map>

namespace tracefold {

RankCommunicators::RankCommunicators(const CallSequence& definitions, const CallTypes& kinds,
                                     u32 ranks)
    : of_rank_(ranks) {
    constexpr std::size_t kFirstMember = 6;
    std::unordered_map<u64, std::span<const u64>> members;  // by group
    for (std::size_t i = 0; i < definitions.calls.size(); ++i) {
        const auto& type = kinds[definitions.calls[i]].definition;
        const std::span<const u64> values = values_of(definitions, i);
        if (type == DefinitionType::Group && values[2] == kGroupCommGroup) {
            members[values[0]] = values.subspan(kFirstMember);
        }
        if (type != DefinitionType::Comm) continue;
        const std::span<const u64> all = members[values[2]];
        if (all.empty()) continue;
        const auto size = static_cast<u32>(all.size());
        const RankGrid& grid = grids_.try_emplace(size, std::vector<u32>{size}).first->second;
        for (u32 place = 0; place < size; ++place) {
            if (all[place] < ranks)
                of_rank_[all[place]].push_back({values[0], values[0], place, &grid});
        }
    }
}

void RankCommunicators::set_local_ids(u32 rank, const MappingTables& tables) {
    for (Membership& at : of_rank_[rank]) at.local_id = tables.decode(FieldKind::comm, at.id * 2);
}

}  // namespace tracefold
