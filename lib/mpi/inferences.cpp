// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/inferences.hpp"

#include "mpi/matching/creation_matcher.hpp"
#include "mpi/mpi_call_reader.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace tracefold {

namespace {

/// Collects the patches of all ranks by location.
class Collector {
  public:
    Collector(const std::vector<CommunicatorHistory>& histories,
              const std::vector<u32>& first_locations)
        : histories_(histories), first_locations_(first_locations), early_(histories.size()) {}

    void add_creations(const CreationMatcher& matcher) {
        for (u32 rank = 0; rank < histories_.size(); ++rank) {
            const auto& calls = histories_[rank].creations();
            for (std::size_t number = 0; number < calls.size(); ++number) {
                const CreationMatcher::Creation& creation = matcher.creations(rank)[number];
                if (!creation.known) continue;
                at(calls[number])
                    .creations.push_back({calls[number].index, creation.made, creation.parent});
            }
        }
    }

    void add_frees(const FreeMatcher& matcher) {
        for (u32 rank = 0; rank < histories_.size(); ++rank) {
            const auto& calls = histories_[rank].frees();
            for (std::size_t number = 0; number < calls.size(); ++number) {
                const u64 comm = matcher.frees(rank)[number];
                if (comm != kNone) at(calls[number]).frees.push_back({calls[number].index, comm});
            }
        }
    }

    /// A communicator that any member uses although no call made it exists for all members.
    void add_early(const CreationMatcher& matcher) {
        for (u32 rank = 0; rank < histories_.size(); ++rank) {
            std::set<u64> made;
            for (const auto& creation : matcher.creations(rank)) made.insert(creation.made);
            for (const u64 comm : histories_[rank].unmade()) {
                if (histories_[rank].uses(comm) == nullptr || made.contains(comm)) continue;
                const CommunicatorView& view = *histories_[rank].table().find(comm);
                for (const u64 member : view.all_members()) early_[member].insert(comm);
            }
        }
        for (u32 rank = 0; rank < histories_.size(); ++rank) list_early(rank);
    }

    std::vector<ReplayPatch> take() {
        std::vector<ReplayPatch> list;
        for (auto& [location, patch] : all_) list.push_back(std::move(patch));
        return list;
    }

  private:
    ReplayPatch& at(u32 location) {
        ReplayPatch& patch = all_[location];
        patch.location = location;
        return patch;
    }
    ReplayPatch& at(const CommunicatorHistory::Call& call) { return at(call.location); }

    /// Lists them in definition order, which all members share.
    void list_early(u32 rank) {
        if (early_[rank].empty()) return;
        ReplayPatch& patch = at(first_locations_[rank]);
        for (const u64 comm : histories_[rank].table().own()) {
            if (early_[rank].contains(comm)) patch.early_communicators.push_back(comm);
        }
    }

    const std::vector<CommunicatorHistory>& histories_;
    const std::vector<u32>& first_locations_;
    std::vector<std::set<u64>> early_;
    std::map<u32, ReplayPatch> all_;
};

}  // namespace

std::vector<ReplayPatch> infer_communicators(const std::vector<CommunicatorHistory>& histories,
                                             const std::vector<u32>& first_locations) {
    CreationMatcher creations(histories);
    creations.match();
    FreeMatcher frees(histories, creations);
    frees.match();
    Collector collector(histories, first_locations);
    collector.add_creations(creations);
    collector.add_frees(frees);
    collector.add_early(creations);
    return collector.take();
}

std::vector<ReplayPatch> infer_communicators(TraceFile& file, const FileTable& files,
                                             const std::vector<CommunicatorTable>& tables) {
    std::vector<CommunicatorHistory> histories;
    std::vector<u32> first_locations;
    for (const CommunicatorTable& table : tables) {
        histories.push_back(read_history(file, table, files));
        first_locations.push_back(mpi_locations(file, table.world_rank()).front());
    }
    return infer_communicators(histories, first_locations);
}

}  // namespace tracefold
