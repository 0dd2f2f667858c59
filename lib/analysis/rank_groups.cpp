// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/rank_groups.hpp"

#include "model/definition_table.hpp"

#include <unordered_map>

namespace tracefold {

namespace {

constexpr u64 kSharedMemory = 1;  // OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY
constexpr int kDeepestTree = 64;

/// The part of the system tree that says where processes run.
class SystemTree {
  public:
    explicit SystemTree(TraceFile& file) : strings_(file.definitions()) {
        drain(*file.global_definitions(), [this](const RecordBatch& batch) {
            for (const RecordBatch::Head& head : batch.heads()) add(batch, head);
        });
    }

    /// The node on which a location group runs; kNone if unknown.
    [[nodiscard]] u64 node_of(u64 location_group) const {
        const auto place = place_of_.find(location_group);
        if (place == place_of_.end()) return kNone;
        const u64 shared = climb(place->second, [](const Node& node) { return node.is_shared; });
        if (shared != kNone) return shared;
        const u64 named = climb(place->second, [this](const Node& node) {
            return strings_.string(node.class_name) == "node";
        });
        return named != kNone ? named : place->second;
    }

    [[nodiscard]] std::string name(u64 node) const {
        const auto found = nodes_.find(node);
        return found == nodes_.end() ? "unknown" : strings_.string(found->second.name);
    }

  private:
    struct Node {
        u64 name = 0;
        u64 class_name = 0;
        u64 parent = kNone;
        bool is_shared = false;
    };

    void add(const RecordBatch& batch, const RecordBatch::Head& head) {
        const auto v = batch.values(head);
        switch (static_cast<DefinitionType>(head.type)) {
            case DefinitionType::SystemTreeNode:
                nodes_[v[0]] = {v[1], v[2], v[3], false};
                break;
            case DefinitionType::SystemTreeNodeDomain:
                if (v[1] == kSharedMemory) nodes_[v[0]].is_shared = true;
                break;
            case DefinitionType::LocationGroup:
                place_of_[v[0]] = v[3];
                break;
            default:
                break;
        }
    }

    /// The nearest node that is wanted, from `node` upwards.
    template <class Wanted>
    [[nodiscard]] u64 climb(u64 node, const Wanted& wanted) const {
        for (int depth = 0; depth < kDeepestTree; ++depth) {
            const auto found = nodes_.find(node);
            if (found == nodes_.end()) return kNone;
            if (wanted(found->second)) return node;
            node = found->second.parent;
        }
        return kNone;
    }

    const DefinitionIndex& strings_;
    std::unordered_map<u64, Node> nodes_;
    std::unordered_map<u64, u64> place_of_;  ///< by location group
};

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
    const SystemTree tree(file);
    for (const u32 location : locations) {
        const u64 group =
            location == kNone ? kNone : file.definitions().locations()[location].group;
        grouping.add(tree.node_of(group));
    }
    return grouping.finish([&tree](u64 node, const ParticipantList&) { return tree.name(node); });
}

}  // namespace tracefold
