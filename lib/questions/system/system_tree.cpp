// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/system/system_tree.hpp"

#include "base/error.hpp"
#include "model/definition_names.hpp"
#include "model/definition_table.hpp"
#include "model/numbered_name.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_map>

namespace tracefold {

namespace {

constexpr std::size_t kKinds = 3;
constexpr u32 kMaxDepth = 256;

/// Reads the definitions of items; parents are references, resolved afterwards.
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

    /// Items with undefined parents become roots.
    void resolve_parents() {
        for (std::size_t i = 0; i < items_.size(); ++i) {
            items_[i].parent = item(parents_[i].kind, parents_[i].ref);
        }
    }

    /// Index of an item; kNone if undefined.
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

/// A damaged archive may define cyclic parents: breaks each cycle into a root.
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
                                                    " levels; it does not describe a machine");
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

namespace {

/// Numbers shapes of subtrees: similar items have equal numbers.
class Shapes {
  public:
    explicit Shapes(const SystemTree& tree) : tree_(tree), shapes_(tree.items().size(), kNone) {
        for (const u32 root : tree.roots()) number(root);
    }

    [[nodiscard]] u32 operator[](u32 item) const { return shapes_[item]; }

  private:
    using Shape = std::tuple<SystemTree::Kind, std::string, std::string, std::vector<u32>>;

    /// Iterative: the depth is limited only by the number of definitions.
    void number(u32 root) {
        std::vector<std::pair<u32, std::size_t>> open{{root, 0}};
        while (!open.empty()) {
            auto& [item, next] = open.back();
            const auto children = tree_.children(item);
            if (next < children.size()) {
                open.emplace_back(children[next++], 0);
                continue;
            }
            shapes_[item] = number_of(item);
            open.pop_back();
        }
    }

    u32 number_of(u32 item) {
        const SystemTree::Item& content = tree_.items()[item];
        std::vector<u32> children;
        for (const u32 child : tree_.children(item)) children.push_back(shapes_[child]);
        NumberedName name = split_name(content.name);
        if (name.numbers.empty()) name.shape = content.name;
        Shape shape{content.kind, content.type, std::move(name.shape), std::move(children)};
        return known_.emplace(std::move(shape), static_cast<u32>(known_.size())).first->second;
    }

    const SystemTree& tree_;
    std::vector<u32> shapes_;
    std::map<Shape, u32> known_;
};

using Items = std::vector<u32>;

/// Children of several similar parents by shape, in order of each shape's first child.
std::vector<Items> by_shape(const Shapes& shapes, const Items& children) {
    std::vector<Items> groups;
    std::map<u32, std::size_t> group_of;
    for (const u32 child : children) {
        const auto [at, added] = group_of.emplace(shapes[child], groups.size());
        if (added) groups.emplace_back();
        groups[at->second].push_back(child);
    }
    return groups;
}

std::vector<SystemOutline> outline_of(const SystemTree& tree, const Shapes& shapes,
                                      const Items& items, u64 parents) {
    std::vector<SystemOutline> lines;
    for (const Items& alike : by_shape(shapes, items)) {
        const SystemTree::Item& first = tree.items()[alike.front()];
        SystemOutline line{first.kind,
                           first.type,
                           alike.size() / parents,
                           first.name,
                           tree.items()[alike.back()].name,
                           {},
                           {}};
        Items children;
        Items ranks;
        for (const u32 item : alike) {
            const auto below = tree.children(item);
            children.insert(children.end(), below.begin(), below.end());
            const Items here = tree.ranks_below(item);
            ranks.insert(ranks.end(), here.begin(), here.end());
        }
        std::sort(ranks.begin(), ranks.end());
        line.ranks = ParticipantList(std::move(ranks));
        line.children = outline_of(tree, shapes, children, alike.size());
        lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace

std::vector<SystemOutline> outline(const SystemTree& tree) {
    const Shapes shapes(tree);
    const auto roots = tree.roots();
    return outline_of(tree, shapes, {roots.begin(), roots.end()}, 1);
}

namespace {

/// The node of a process: an ancestor of class "node", else its parent; kNone if undefined.
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

/// The representative location of each process: the one with an MPI rank, or its first thread.
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

/// Numbers common properties of ranks by first appearance.
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

    /// The group of a property; kNone: none.
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
