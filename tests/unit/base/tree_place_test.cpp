// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/communicator.hpp"

#include <string>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Ranks = std::vector<int>;

TEST(TreePlaceTest, BinaryTreeOfFive) {
    EXPECT_EQ(tree_place(0, 5, 2).children, (Ranks{1, 2, 4}));
    EXPECT_EQ(tree_place(2, 5, 2).children, (Ranks{3}));
    EXPECT_EQ(tree_place(4, 5, 2).children, Ranks{});
    EXPECT_EQ(tree_place(0, 5, 2).parent, -1);
    EXPECT_EQ(tree_place(3, 5, 2).parent, 2);
    EXPECT_EQ(tree_place(4, 5, 2).parent, 0);
}

TEST(TreePlaceTest, WideTreeOfEleven) {
    EXPECT_EQ(tree_place(0, 11, 4).children, (Ranks{1, 2, 3, 4, 8}));
    EXPECT_EQ(tree_place(8, 11, 4).children, (Ranks{9, 10}));
    EXPECT_EQ(tree_place(8, 11, 4).parent, 0);
    EXPECT_EQ(tree_place(10, 11, 4).parent, 8);
}

TEST(TreePlaceTest, RanksNearTheLimitDoNotOverflow) {
    const int size = 2147483647;
    EXPECT_EQ(tree_place(size - 1, size, 2).parent, size - 3);
    EXPECT_EQ(tree_place(0, size, 2).children.size(), 31U);
    EXPECT_EQ(tree_place(size - 1, size, 1 << 30).parent, 1 << 30);
}

// The ranks in the order in which the tree merges them into `rank`.
void append_block(int rank, int size, int fanout, Ranks& order) {
    order.push_back(rank);
    for (const int child : tree_place(rank, size, fanout).children) {
        EXPECT_EQ(tree_place(child, size, fanout).parent, rank);
        append_block(child, size, fanout, order);
    }
}

TEST(TreePlaceTest, EveryTreeVisitsAllRanksInOrder) {
    for (const int fanout : {2, 3, 5, 100}) {
        for (int size = 1; size <= 70; ++size) {
            Ranks order;
            append_block(0, size, fanout, order);
            ASSERT_EQ(order.size(), static_cast<std::size_t>(size));
            for (int rank = 0; rank < size; ++rank) {
                ASSERT_EQ(order[static_cast<std::size_t>(rank)], rank) << size << '/' << fanout;
            }
        }
    }
}

}  // namespace
}  // namespace tracefold
