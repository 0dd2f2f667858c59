// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/placement.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// Ranks in their order on nodes of these sizes.
Placement placement_on(const std::vector<u32>& sizes) {
    Placement placement;
    placement.node_sizes = sizes;
    const u32 ranks = std::accumulate(sizes.begin(), sizes.end(), 0U);
    placement.node_of_rank.resize(ranks);
    placement.core_of_rank.resize(ranks);
    std::vector<u32> order(ranks);
    std::iota(order.begin(), order.end(), 0U);
    placement.assign(order);
    return placement;
}

TEST(PlacementTest, RanksFillNodesInTheirOrder) {
    Placement placement = placement_on({2, 3});
    EXPECT_EQ(placement.node_of_rank, (std::vector<u32>{0, 0, 1, 1, 1}));
    EXPECT_EQ(placement.core_of_rank, (std::vector<u32>{0, 1, 0, 1, 2}));
    const std::vector<u32> order = {4, 2, 0, 1, 3};
    placement.assign(order);
    EXPECT_EQ(placement.node_of_rank, (std::vector<u32>{1, 1, 0, 1, 0}));
    EXPECT_EQ(placement.order(), order);
}

TEST(PlacementTest, RanksAreDealtToNodesWithRoom) {
    Placement placement = placement_on({1, 3, 2});
    placement.deal();
    EXPECT_EQ(placement.order(), (std::vector<u32>{0, 1, 3, 5, 2, 4}));
}

TEST(PlacementTest, AnOrderComesBackFromItsText) {
    std::mt19937 random(7);
    for (u32 ranks = 1; ranks < 200; ++ranks) {
        std::vector<u32> order(ranks);
        std::iota(order.begin(), order.end(), 0U);
        // Whole ranges stay together in some of them.
        const auto swaps = random() % (ranks + 1);
        for (u64 i = 0; i < swaps; ++i) std::swap(order[random() % ranks], order[random() % ranks]);
        EXPECT_EQ(parse_rank_order(rank_order_text(order), ranks, "order"), order);
    }
    EXPECT_EQ(rank_order_text(std::vector<u32>{4, 5, 6, 0, 2, 3}), "4-6,0,2-3\n");
    EXPECT_EQ(parse_rank_order("# grid order\n2,0 # two\n1,3", 4, "order"),
              (std::vector<u32>{2, 0, 1, 3}));
}

TEST(PlacementTest, WhatIsNoOrderIsRefused) {
    for (const std::string text : {"", "0,1,2", "0-2,4", "0-3,1", "0-4", "0,1,x,3", "3-0",
                                   "0,1,2,-3", "0,1,2,99999999999"}) {
        EXPECT_THROW(parse_rank_order(text, 4, "order"), Error) << text;
    }
}

}  // namespace
}  // namespace tracefold
