// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/system_outline.hpp"

#include "model/numbered_name.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace tracefold {

namespace {

/// Numbers the shapes of subtrees: equal numbers mean alike items.
class Shapes {
  public:
    explicit Shapes(const SystemTree& tree) : tree_(tree), shapes_(tree.items().size(), kNone) {
        for (const u32 root : tree.roots()) number(root);
    }

    [[nodiscard]] u32 operator[](u32 item) const { return shapes_[item]; }

  private:
    using Shape = std::tuple<SystemTree::Kind, std::string, std::string, std::vector<u32>>;

    /// Without recursion: a tree may be as deep as its definitions are many.
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

/// The children of several alike parents by shape, shapes in the order of their first child.
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

}  // namespace tracefold
