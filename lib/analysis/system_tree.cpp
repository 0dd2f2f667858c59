// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/system_tree.hpp"

#include "core/error.hpp"
#include "model/definition_table.hpp"
#include "names/enumerator_names.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace tracefold {

namespace {

constexpr std::size_t kKinds = 3;
constexpr u32 kMaxDepth = 256;

/// Reads the definitions of items; parents come as references, which link up afterwards.
class ItemReader {
  public:
    ItemReader(const DefinitionIndex& definitions, std::vector<SystemTree::Item>& items)
        : definitions_(definitions), items_(items) {}

    void add(u8 type, std::span<const u64> values) {
        switch (static_cast<DefinitionType>(type)) {
            case DefinitionType::SystemTreeNode:
                return add(Kind::node, values, definitions_.string(values[2]),
                           {Kind::node, values[3]});
            case DefinitionType::LocationGroup:
                return add(Kind::location_group, values,
                           enumerator_name(Enumeration::location_group_type, values[2]),
                           {Kind::node, values[3]});
            case DefinitionType::Location:
                return add(Kind::location, values,
                           enumerator_name(Enumeration::location_type, values[2]),
                           {Kind::location_group, values[4]});
            default:
                return;
        }
    }

    /// Parents that are not defined are none.
    void resolve_parents() {
        for (std::size_t i = 0; i < items_.size(); ++i) {
            items_[i].parent = item(parents_[i].kind, parents_[i].ref);
        }
    }

    /// kNone if it is not defined.
    [[nodiscard]] u32 item(SystemTree::Kind kind, u64 ref) const {
        const auto& known = known_[static_cast<std::size_t>(kind)];
        const auto found = known.find(ref);
        return found == known.end() ? kNone : found->second;
    }

  private:
    using Kind = SystemTree::Kind;
    struct Reference {
        Kind kind;
        u64 ref;
    };

    void add(Kind kind, std::span<const u64> values, std::string type, Reference parent) {
        known_[static_cast<std::size_t>(kind)].emplace(values[0], static_cast<u32>(items_.size()));
        items_.push_back({kind, definitions_.string(values[1]), std::move(type), kNone, kNone});
        parents_.push_back(parent);
    }

    const DefinitionIndex& definitions_;
    std::vector<SystemTree::Item>& items_;
    std::vector<Reference> parents_;
    std::array<std::unordered_map<u64, u32>, kKinds> known_;
};

}  // namespace

SystemTree::SystemTree(const DefinitionIndex& definitions, RecordSource& records) {
    ItemReader reader(definitions, items_);
    for_each_record(records, [&](const auto& head, auto values) { reader.add(head.type, values); });
    reader.resolve_parents();
    break_cycles();
    check_depth();
    item_of_process_.assign(definitions.process_count(), kNone);
    const bool has_mpi = definitions.process_kind() == ProcessKind::rank;
    for (const LocationDefinition& location : definitions.locations()) {
        const std::optional<u32> process =
            has_mpi ? definitions.world_rank(location) : definitions.process(location);
        const u32 group = reader.item(Kind::location_group, location.group);
        if (!process || group == kNone || (!has_mpi && !location.is_thread())) continue;
        if (has_mpi) items_[group].rank = *process;
        item_of_process_[*process] = group;
    }
    link();
}

/// A damaged archive may name a node's descendant as its parent; such a node becomes a root.
void SystemTree::break_cycles() {
    std::vector<u32> visit(items_.size(), kNone);
    for (u32 start = 0; start < items_.size(); ++start) {
        for (u32 at = start; at != kNone && (visit[at] == kNone || visit[at] == start);
             at = items_[at].parent) {
            if (visit[at] == start) {
                items_[at].parent = kNone;
                break;
            }
            visit[at] = start;
        }
    }
}

void SystemTree::check_depth() const {
    std::vector<u32> depth(items_.size(), 0);
    for (u32 i = 0; i < items_.size(); ++i) {
        std::vector<u32> above;
        u32 at = i;
        for (; at != kNone && depth[at] == 0; at = items_[at].parent) above.push_back(at);
        u32 reached = at == kNone ? 0 : depth[at];
        for (std::size_t k = above.size(); k-- > 0;) depth[above[k]] = ++reached;
        if (reached > kMaxDepth) {
            throw Error(ErrorKind::unsupported, "the system tree has more than " +
                                                    std::to_string(kMaxDepth) +
                                                    " levels; it is not that of a machine");
        }
    }
}

void SystemTree::link() {
    const std::size_t root = items_.size();
    const auto parent_of = [root](const Item& item) {
        return item.parent == kNone ? root : item.parent;
    };
    first_child_.assign(root + 2, 0);
    for (const Item& item : items_) ++first_child_[parent_of(item) + 1];
    for (std::size_t i = 1; i < first_child_.size(); ++i) first_child_[i] += first_child_[i - 1];
    std::vector<std::size_t> next(first_child_.begin(), first_child_.end() - 1);
    children_.resize(items_.size());
    for (u32 i = 0; i < items_.size(); ++i) children_[next[parent_of(items_[i])]++] = i;
}

std::optional<u32> SystemTree::item_of_process(u64 process) const {
    if (process >= item_of_process_.size() || item_of_process_[process] == kNone) {
        return std::nullopt;
    }
    return item_of_process_[process];
}

std::vector<u32> SystemTree::path(u32 item) const {
    std::vector<u32> path;
    for (u32 at = item; at != kNone; at = items_[at].parent) path.push_back(at);
    std::reverse(path.begin(), path.end());
    return path;
}

std::vector<u32> SystemTree::ranks_below(u32 item) const {
    std::vector<u32> ranks;
    std::vector<u32> open{item};
    while (!open.empty()) {
        const u32 at = open.back();
        open.pop_back();
        if (items_[at].rank != kNone) ranks.push_back(items_[at].rank);
        const auto below = children(at);
        open.insert(open.end(), below.begin(), below.end());
    }
    std::sort(ranks.begin(), ranks.end());
    return ranks;
}

}  // namespace tracefold
