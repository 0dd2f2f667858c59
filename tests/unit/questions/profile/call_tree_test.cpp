// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/call_tree.hpp"

#include "base/error.hpp"
#include "questions/profile/detail/call_profile.hpp"
#include "questions/profile/trace_profile.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

constexpr auto kRegion = CallTree::Kind::region;

/// "0(1 2(3))": regions by number, what they call in brackets.
std::string text(const CallTree& tree) {
    std::string words;
    u32 last = 0;
    for (const u32 node : tree.depth_first()) {
        for (; last > tree[node].depth; --last) words += ')';
        if (last < tree[node].depth) words += '(';
        if (!words.empty() && words.back() != '(') words += ' ';
        words += std::to_string(tree[node].ref);
        last = tree[node].depth;
    }
    return words + std::string(last, ')');
}

CallTree small_tree() {
    CallTree tree;
    const u32 root = tree.add(kNone, kRegion, 0, 0);
    tree.add(root, kRegion, 1, 1);
    const u32 second = tree.add(root, kRegion, 2, 2);
    tree.add(second, kRegion, 3, 3);
    return tree;
}

TEST(CallTreeTest, EveryCallPathIsOneNode) {
    CallTree tree = small_tree();
    EXPECT_EQ(tree.size(), 4U);
    EXPECT_EQ(tree.add(0, kRegion, 1, 9), 1U);
    EXPECT_EQ(tree.add(0, CallTree::Kind::flush, 1, 9), 4U);
    EXPECT_EQ(tree.add(1, kRegion, 1, 10), 5U);
    EXPECT_EQ(text(small_tree()), "0(1 2(3))");
}

TEST(CallTreeTest, ChildrenAreInTheOrderOfTheirFirstCallsHoweverTreesAreMerged) {
    CallTree other;
    const u32 root = other.add(kNone, kRegion, 0, CallTree::call_order(1, 0));
    const u32 late = other.add(root, kRegion, 7, CallTree::call_order(1, 1));
    other.add(late, kRegion, 8, CallTree::call_order(1, 2));
    other.add(root, kRegion, 1, CallTree::call_order(1, 3));
    CallTree a = small_tree();
    a.merge(other);
    CallTree b = other;
    const std::vector<u32> numbers = b.merge(small_tree());
    EXPECT_EQ(numbers[1], 3U);
    EXPECT_EQ(text(a.in_call_order()), "0(1 2(3) 7(8))");
    EXPECT_EQ(a.in_call_order().to_bytes(), b.in_call_order().to_bytes());
}

TEST(CallTreeTest, CallOrderNumbersNodesDepthFirst) {
    CallTree tree = small_tree();
    tree.add(1, kRegion, 9, 10);
    const CallTree sorted = tree.in_call_order();
    const std::vector<u32> order = sorted.depth_first();
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
    EXPECT_EQ(text(sorted), "0(1(9) 2(3))");
}

TEST(CallTreeTest, BytesGiveTheSameTree) {
    const CallTree tree = small_tree();
    EXPECT_EQ(CallTree::from_bytes(tree.to_bytes()).to_bytes(), tree.to_bytes());
    EXPECT_EQ(CallTree::from_bytes(CallTree().to_bytes()).size(), 0U);
}

TEST(CallTreeTest, BrokenBytesAreRefused) {
    const std::string bytes = small_tree().to_bytes();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_THROW(CallTree::from_bytes(bytes.substr(0, size)), Error);
    }
    EXPECT_THROW(CallTree::from_bytes(bytes + "x"), Error);
    // A parent that comes later; a node that is there already.
    EXPECT_THROW(CallTree::from_bytes(std::string("\1\1\0\0\5", 5)), Error);
    EXPECT_THROW(CallTree::from_bytes(std::string("\2\1\0\0\0\1\0\0\0", 9)), Error);
}

/// A chain 0-1-2-3 with leaves 4, 5 and 6 below 0.
CallTree comb() {
    CallTree tree;
    tree.add(kNone, kRegion, 0, 0);
    for (u32 node = 1; node < 4; ++node) tree.add(node - 1, kRegion, node, node);
    for (u32 node = 4; node < 7; ++node) tree.add(0, kRegion, node, node);
    return tree;
}

TEST(NodeOrderTest, EachSharesNodesOutInItsOwnWay) {
    using Owners = std::vector<u32>;
    EXPECT_EQ(node_owners(comb(), NodeOrder::breadth_first, 2), (Owners{0, 0, 1, 1, 0, 0, 1}));
    EXPECT_EQ(node_owners(comb(), NodeOrder::round_robin, 2), (Owners{0, 1, 0, 1, 0, 1, 0}));
    EXPECT_EQ(node_owners(comb(), NodeOrder::deepest_chain, 2), (Owners{0, 0, 0, 0, 1, 1, 1}));
}

TEST(NodeOrderTest, AllAreFairAndAlwaysAlike) {
    const CallTree tree = comb();
    for (const auto order : {NodeOrder::breadth_first, NodeOrder::round_robin, NodeOrder::random,
                             NodeOrder::deepest_chain}) {
        for (const u32 processes : {1U, 2U, 3U, 7U, 9U}) {
            const std::vector<u32> owners = node_owners(tree, order, processes);
            EXPECT_EQ(owners, node_owners(tree, order, processes));
            for (u32 process = 0; process < processes; ++process) {
                const auto count = std::count(owners.begin(), owners.end(), process);
                EXPECT_GE(count, tree.size() / processes);
                EXPECT_LE(count, tree.size() / processes + 1);
            }
        }
    }
}

TEST(PathTest, HasTheInnermostOfMoreThanThousandNames) {
    DefinitionIndex definitions;
    definitions.finish();
    CallTree tree;
    u32 node = kNone;
    for (u64 region = 0; region < 1001; ++region) node = tree.add(node, kRegion, region, region);
    const std::string whole = path_of(definitions, tree, tree[node].parent);
    EXPECT_TRUE(whole.starts_with("region 0/region 1/"));
    EXPECT_EQ(std::ranges::count(whole, '/'), 999);
    const std::string part = path_of(definitions, tree, node);
    EXPECT_TRUE(part.starts_with("[981 more]/region 981/")) << part;
    EXPECT_TRUE(part.ends_with("/region 999/region 1000")) << part;
}

}  // namespace
}  // namespace tracefold
