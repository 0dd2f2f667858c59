// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/record_source.hpp"
#include "file/trace_file.hpp"
#include "model/definition_index.hpp"
#include "model/participant_names.hpp"
#include "model/participants.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

/// Machine and program as OTF2 defines them: nodes of the system tree, their location groups
/// (processes), and locations (threads, ...). Children are in order of definition. Memory: linear
/// in the items.
class SystemTree {
  public:
    enum class Kind : u8 { node, location_group, location };

    struct Item {
        Kind kind{};
        std::string name;
        std::string type;    ///< class of a node; OTF2 type of a location group or location
        u32 parent = kNone;  ///< index of an item; kNone: root
        u32 rank = kNone;    ///< MPI rank of a location group; kNone: none
    };

    /// `records`: the global definitions behind `definitions`. Throws Error: corrupt; unsupported
    /// for an implausibly deep tree.
    SystemTree(const DefinitionIndex& definitions, RecordSource& records);

    [[nodiscard]] const std::vector<Item>& items() const { return items_; }
    /// Items without a defined parent.
    [[nodiscard]] std::span<const u32> roots() const { return children_of(items_.size()); }
    [[nodiscard]] std::span<const u32> children(u32 item) const { return children_of(item); }

    /// The location group of a process, if any.
    [[nodiscard]] std::optional<u32> item_of_process(u64 process) const;
    /// From the root to the item, inclusive.
    [[nodiscard]] std::vector<u32> path(u32 item) const;
    /// MPI ranks in the subtree of an item, ascending. Cost: linear in the subtree.
    [[nodiscard]] std::vector<u32> ranks_below(u32 item) const;

  private:
    void break_cycles();
    void check_depth() const;
    void link();
    [[nodiscard]] std::span<const u32> children_of(std::size_t item) const {
        return {children_.data() + first_child_[item], first_child_[item + 1] - first_child_[item]};
    }

    std::vector<Item> items_;
    std::vector<u32> children_;             ///< of item 0, of item 1, ..., then roots
    std::vector<std::size_t> first_child_;  ///< by item, roots last
    std::vector<u32> item_of_process_;
};

/// Similar items of a system tree as one line: type and number of copies, as in Score-P's sequence
/// definitions, plus their names. Items are similar if they have the same type, names that differ
/// only in numbers, and similar children in the same order.
struct SystemOutline {
    SystemTree::Kind kind{};
    std::string type;
    u64 copies = 0;          ///< under one parent
    std::string first_name;  ///< first name of the items
    std::string last_name;
    ParticipantList ranks;                ///< MPI ranks of all items
    std::vector<SystemOutline> children;  ///< of one copy
};

/// The outline of the roots. Similar children of one parent form one line regardless of position:
/// an irregular machine has one line per type. Cost: linear in items x depth.
std::vector<SystemOutline> outline(const SystemTree& tree);

enum class GroupBy : u8 {
    rank,        ///< each rank
    node,        ///< ranks on one machine node
    rank_class,  ///< ranks whose first location runs the same script
};

/// Groups of the ranks, or of the processes without MPI.
struct RankGroups {
    std::vector<u32> group_of;  ///< by process
    std::vector<std::string> labels;
    u32 unknown = kNone;  ///< by node: group of ranks without a node; kNone: none

    [[nodiscard]] std::size_t size() const { return labels.size(); }
};

/// Groups processes, numbered by first process. A node is an ancestor of class "node" in the system
/// tree, else the process's parent. Cost: one pass over the definitions.
RankGroups rank_groups(TraceFile& file, const ParticipantNames& names, GroupBy by);

}  // namespace tracefold
