// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/structure/findings.hpp"

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// All pairs of a grid whose coordinates differ by at most one in every dimension; only one
/// dimension at a time unless `corners`.
RankPairs neighbours(const std::vector<u32>& grid, bool corners, bool periodic) {
    u32 ranks = 1;
    for (const u32 size : grid) ranks *= size;
    RankPairs pairs;
    for (u32 from = 0; from < ranks; ++from) {
        for (u32 to = 0; to < ranks; ++to) {
            u32 a = from;
            u32 b = to;
            int moves = 0;
            bool near = from != to;
            for (std::size_t i = grid.size(); i-- > 0;) {
                const int size = static_cast<int>(grid[i]);
                int way = std::abs(static_cast<int>(a % grid[i]) - static_cast<int>(b % grid[i]));
                if (periodic) way = std::min(way, size - way);
                near = near && way <= 1;
                moves += way != 0 ? 1 : 0;
                a /= grid[i];
                b /= grid[i];
            }
            if (near && (corners || moves == 1)) pairs.emplace_back(from, to);
        }
    }
    return pairs;
}

void expect_found(const std::vector<u32>& grid, bool corners, bool periodic, std::size_t count) {
    u32 ranks = 1;
    for (const u32 size : grid) ranks *= size;
    const auto stencil = find_stencil(ranks, neighbours(grid, corners, periodic));
    ASSERT_TRUE(stencil);
    EXPECT_EQ(stencil->grid, grid);
    EXPECT_EQ(stencil->offsets.size(), count);
    EXPECT_EQ(stencil->periodic, std::vector<std::optional<bool>>(grid.size(), periodic));
    EXPECT_FALSE(stencil->complete);
}

TEST(StencilTest, LinesPlanesAndCubes) {
    expect_found({64}, true, false, 2);
    expect_found({8, 8}, false, false, 4);
    expect_found({5, 7}, true, false, 8);
    expect_found({4, 3, 5}, false, false, 6);
    expect_found({8, 8, 8}, true, false, 26);
}

TEST(StencilTest, RingsAndTori) {
    expect_found({12}, true, true, 2);
    expect_found({4, 6}, false, true, 4);
    expect_found({4, 5, 6}, true, true, 26);
}

TEST(StencilTest, EverybodyWithEverybodyIsMarked) {
    const auto stencil = find_stencil(8, neighbours({2, 2, 2}, true, false));
    ASSERT_TRUE(stencil);
    EXPECT_TRUE(stencil->complete);
    EXPECT_EQ(stencil->grid, (std::vector<u32>{2, 2, 2}));
    EXPECT_EQ(Stencil::moves(stencil->offset(0, 7)), 3);
    EXPECT_EQ(Stencil::moves(stencil->offset(5, 1)), 1);
}

TEST(StencilTest, AnythingElseIsNone) {
    RankPairs pairs = neighbours({8, 8}, false, false);
    pairs.pop_back();
    EXPECT_FALSE(find_stencil(64, pairs));  // one message is missing
    pairs = neighbours({8, 8}, false, false);
    pairs.emplace_back(0, 63);
    EXPECT_FALSE(find_stencil(64, pairs));  // one is too many
    RankPairs butterfly;
    for (u32 rank = 0; rank < 64; ++rank) butterfly.emplace_back(rank, rank ^ 8U);
    EXPECT_FALSE(find_stencil(64, butterfly));
    EXPECT_FALSE(find_stencil(1, {}));
}

}  // namespace
}  // namespace tracefold
