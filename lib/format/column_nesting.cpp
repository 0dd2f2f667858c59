// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/column_nesting.hpp"

#include <algorithm>

namespace tracefold::inline format {

namespace {

constexpr u32 kMaxDepth = 1000;

struct Tree {
    u64 nodes = 1;
    u32 depth = 1;
};

}  // namespace

void check_nesting(const std::vector<Pattern>& patterns, const std::vector<Column>& columns,
                   u64 limit, const ByteReader& in, std::size_t checked) {
    std::vector<Tree> trees;
    trees.reserve(columns.size());
    u64 largest = 0;  ///< of those that are sound by themselves
    for (const Column& column : columns) {
        Tree tree;
        if (column.is_folded()) tree.nodes += patterns[column.pattern].node_count();
        for (const NodeCount& count : column.counts) {
            const Tree& below = trees[count.column];
            tree.nodes += below.nodes;
            tree.depth = std::max(tree.depth, below.depth + 1);
            const bool sound = trees.size() < checked ||
                               (tree.nodes <= limit + largest && tree.depth <= kMaxDepth);
            if (!sound) in.fail("columns are nested too deeply");
        }
        if (trees.size() < checked) largest = std::max(largest, tree.nodes);
        trees.push_back(tree);
    }
}

}  // namespace tracefold::inline format
