// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/rank_groups.hpp"

#include "analysis/system_tree.hpp"

#include <unordered_map>

namespace tracefold {

namespace {

/// The node that a rank runs on: what is called so, else the place that its process hangs on; kNone
/// if the definitions do not tell.
u32 node_of(const SystemTree& tree, u64 rank) {
    const std::optional<u32> process = tree.item_of_rank(rank);
    if (!process) return kNone;
    u32 place = kNone;
    for (const u32 item : tree.path(*process)) {
        if (tree.items()[item].kind != SystemTree::Kind::node) break;
        place = item;
        if (tree.items()[item].type == "node") break;
    }
    return place;
}

/// The location that stands for each rank.
std::vector<u32> locations_of_ranks(TraceFile& file, const ParticipantNames& names) {
    std::vector<u32> locations(file.definitions().world_size(), kNone);
    for (u32 location = 0; location < file.location_count(); ++location) {
        const ParticipantNames::Place place = names.place(location);
        if (place.rank != kNone && place.thread == 0) locations[place.rank] = location;
    }
    return locations;
}

/// Numbers of what ranks have in common, by first appearance.
class Grouping {
  public:
    void add(u64 common) {
        const auto [found, fresh] = number_of_.emplace(common, members_.size());
        if (fresh) {
            members_.emplace_back();
            commons_.push_back(common);
        }
        members_[found->second].add(static_cast<u32>(groups_.group_of.size()));
        groups_.group_of.push_back(found->second);
    }

    /// The group of what has this in common; kNone: there is none.
    [[nodiscard]] u32 find(u64 common) const {
        const auto found = number_of_.find(common);
        return found == number_of_.end() ? kNone : found->second;
    }

    /// `label(common, ranks)` names a group.
    template <class Label>
    RankGroups finish(const Label& label) {
        for (std::size_t i = 0; i < members_.size(); ++i) {
            groups_.labels.push_back(label(commons_[i], members_[i]));
        }
        return std::move(groups_);
    }

  private:
    std::unordered_map<u64, u32> number_of_;
    std::vector<ParticipantList> members_;
    std::vector<u64> commons_;
    RankGroups groups_;
};

}  // namespace

u32 rank_of(const ParticipantNames& names, u32 location) { return names.place(location).rank; }

RankGroups rank_groups(TraceFile& file, const ParticipantNames& names, GroupBy by) {
    Grouping grouping;
    const std::vector<u32> locations = locations_of_ranks(file, names);
    if (by == GroupBy::rank) {
        for (u64 rank = 0; rank < locations.size(); ++rank) grouping.add(rank);
        return grouping.finish(
            [](u64 rank, const ParticipantList&) { return std::to_string(rank); });
    }
    if (by == GroupBy::rank_class) {
        for (const u32 location : locations) {
            grouping.add(location == kNone ? kNone : file.index().script(Stream::events, location));
        }
        return grouping.finish([](u64, const ParticipantList& ranks) {
            return std::string(ranks.size() == 1 ? "rank " : "ranks ") + set_text(ranks);
        });
    }
    const SystemTree tree(file.definitions(), *file.global_definitions());
    for (u64 rank = 0; rank < locations.size(); ++rank) grouping.add(node_of(tree, rank));
    const u32 unknown = grouping.find(kNone);
    RankGroups groups = grouping.finish([&tree](u64 node, const ParticipantList&) {
        return node == kNone ? std::string("unknown") : tree.items()[node].name;
    });
    groups.unknown = unknown;
    return groups;
}

}  // namespace tracefold
