// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/definition_index.hpp"
#include "trace/record_source.hpp"

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

}  // namespace tracefold
