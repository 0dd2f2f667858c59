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

/// The machine and the program on it as OTF2 defines them: nodes of the system tree, location
/// groups (processes) on them, locations (threads, ...) in those. Every item knows its children in
/// the order of their definitions. Memory: linear in the items.
class SystemTree {
  public:
    enum class Kind : u8 { node, location_group, location };

    struct Item {
        Kind kind{};
        std::string name;
        std::string type;    ///< class of a node; OTF2's type of a location group or location
        u32 parent = kNone;  ///< index of an item; kNone for a root
        u32 rank = kNone;    ///< MPI rank of a location group, kNone if it has none
    };

    /// `records`: the global definitions that `definitions` was made of. Throws Error: corrupt;
    /// unsupported if the tree is deeper than any machine's.
    SystemTree(const DefinitionIndex& definitions, RecordSource& records);

    [[nodiscard]] const std::vector<Item>& items() const { return items_; }
    /// Items without a parent, or with one that is not defined.
    [[nodiscard]] std::span<const u32> roots() const { return children_of(items_.size()); }
    [[nodiscard]] std::span<const u32> children(u32 item) const { return children_of(item); }

    /// The location group of a process, if there is one.
    [[nodiscard]] std::optional<u32> item_of_process(u64 process) const;
    /// From the root to the item, both included.
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
    std::vector<u32> children_;             ///< of item 0, of item 1, ..., roots
    std::vector<std::size_t> first_child_;  ///< by item, roots last
    std::vector<u32> item_of_process_;
};

/// Alike items of a system tree as one line: type and number of copies, as in Score-P's sequence
/// definitions, with the names that those lose. Items are alike if they are of one type, their
/// names differ only in numbers, and their children are alike in the same order.
struct SystemOutline {
    SystemTree::Kind kind{};
    std::string type;
    u64 copies = 0;          ///< under one parent
    std::string first_name;  ///< of all items that the line stands for
    std::string last_name;
    ParticipantList ranks;                ///< MPI ranks in all of them
    std::vector<SystemOutline> children;  ///< of one copy
};

/// The outline of the roots. Alike children of one parent make one line wherever they stand, so an
/// irregular machine has one line per type. Cost: linear in the items times their depth.
std::vector<SystemOutline> outline(const SystemTree& tree);

/// What ranks are put together by.
enum class GroupBy : u8 {
    rank,        ///< every rank is a group
    node,        ///< ranks on one node of the machine
    rank_class,  ///< ranks whose first location runs the same script
};

/// The processes of a trace in groups: its ranks, where it has MPI.
struct RankGroups {
    std::vector<u32> group_of;  ///< by process
    std::vector<std::string> labels;
    u32 unknown = kNone;  ///< by node: of ranks that the definitions do not place; kNone: none

    [[nodiscard]] std::size_t size() const { return labels.size(); }
};

/// Groups are numbered by their first process. A node is what is of class "node" in the system
/// tree, else the place that the process hangs on. Cost: one pass over the definitions.
RankGroups rank_groups(TraceFile& file, const ParticipantNames& names, GroupBy by);

}  // namespace tracefold
