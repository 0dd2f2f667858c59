// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/rank_groups.hpp"

#include "analysis/system_tree.hpp"

#include <unordered_map>

namespace tracefold {

namespace {

/// The node that a process runs on: what is called so, else the place that it hangs on; kNone if
/// the definitions do not tell.
u32 node_of(const SystemTree& tree, u64 process) {
    const std::optional<u32> own = tree.item_of_process(process);
    if (!own) return kNone;
    u32 place = kNone;
    for (const u32 item : tree.path(*own)) {
        if (tree.items()[item].kind != SystemTree::Kind::node) break;
        place = item;
        if (tree.items()[item].type == "node") break;
    }
    return place;
}

/// The location that stands for each process: the one that MPI knows, or its first thread.
std::vector<u32> locations_of_processes(const DefinitionIndex& definitions,
                                        const ParticipantNames& names) {
    const bool has_mpi = definitions.process_kind() == ProcessKind::rank;
    std::vector<u32> locations(definitions.process_count(), kNone);
    for (u32 location = 0; location < definitions.locations().size(); ++location) {
        const u32 process = names.process(location);
        const bool stands = has_mpi ? names.place(location).thread == 0
                                    : definitions.locations()[location].is_thread();
        if (process != kNone && stands && locations[process] == kNone) {
            locations[process] = location;
        }
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

RankGroups rank_groups(TraceFile& file, const ParticipantNames& names, GroupBy by) {
    Grouping grouping;
    const DefinitionIndex& definitions = file.definitions();
    const std::vector<u32> locations = locations_of_processes(definitions, names);
    if (by == GroupBy::rank) {
        for (u64 process = 0; process < locations.size(); ++process) grouping.add(process);
        return grouping.finish([&definitions](u64 process, const ParticipantList&) {
            return definitions.process_name(static_cast<u32>(process));
        });
    }
    if (by == GroupBy::rank_class) {
        for (const u32 location : locations) {
            grouping.add(location == kNone ? kNone : file.index().script(Stream::events, location));
        }
        const bool has_mpi = definitions.process_kind() == ProcessKind::rank;
        return grouping.finish([has_mpi](u64, const ParticipantList& processes) {
            const std::string word = has_mpi ? "rank" : "process";
            const char* const more = processes.size() == 1 ? " " : has_mpi ? "s " : "es ";
            return word + more + set_text(processes);
        });
    }
    const SystemTree tree(file.definitions(), *file.global_definitions());
    for (u64 i = 0; i < locations.size(); ++i) grouping.add(node_of(tree, i));
    const u32 unknown = grouping.find(kNone);
    RankGroups groups = grouping.finish([&tree](u64 node, const ParticipantList&) {
        return node == kNone ? std::string("unknown") : tree.items()[node].name;
    });
    groups.unknown = unknown;
    return groups;
}

}  // namespace tracefold
