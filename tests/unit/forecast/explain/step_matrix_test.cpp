// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/explain/step_matrix.hpp"

#include <numeric>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(StepMatrixTest, Medians) {
    EXPECT_EQ(median({}), 0);
    EXPECT_EQ(median({3, 1, 2}), 2);
    EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
}

TEST(StepMatrixTest, KendallCountsPairsInOrder) {
    EXPECT_EQ(kendall_tau(std::vector<double>{1, 2, 3}), 1);
    EXPECT_EQ(kendall_tau(std::vector<double>{3, 2, 1}), -1);
    // Five of six pairs rise.
    EXPECT_NEAR(kendall_tau(std::vector<double>{1, 3, 2, 4}), 4.0 / 6, 1e-12);
    EXPECT_EQ(kendall_tau(std::vector<double>{5}), 0);
}

TEST(StepMatrixTest, TrendIgnoresOutliers) {
    const Trend line = trend(std::vector<double>{10, 12, 14, 90, 18, 20});
    EXPECT_NEAR(line.first, 10, 1e-9);
    EXPECT_NEAR(line.last, 20, 1e-9);
}

TEST(StepMatrixTest, TrendOfManyValuesTakesMeansOfNeighbours) {
    std::vector<double> values(5000);
    std::iota(values.begin(), values.end(), 0.0);
    EXPECT_EQ(kendall_tau(values), 1);
    EXPECT_NEAR(trend(values).last - trend(values).first, 5000, 10);
}

TEST(StepMatrixTest, SpearmanComparesRanks) {
    EXPECT_NEAR(spearman(std::vector<double>{1, 2, 3}, std::vector<double>{10, 100, 1000}), 1,
                1e-12);
    EXPECT_NEAR(spearman(std::vector<double>{1, 2, 3}, std::vector<double>{3, 2, 1}), -1, 1e-12);
    EXPECT_EQ(spearman(std::vector<double>{1, 1}, std::vector<double>{1, 2}), 0);
}

TEST(StepMatrixTest, SlowRanksStandOutFromAlikeOthers) {
    const SlowRanks one = slow_ranks(std::vector<double>{100, 200, 101, 102}, 0.1);
    EXPECT_EQ(one.ranks, std::vector<u32>{1});
    EXPECT_EQ(one.others, 101);
    const SlowRanks half = slow_ranks(std::vector<double>{100, 200, 101, 202}, 0.1);
    EXPECT_EQ(half.ranks, (std::vector<u32>{1, 3}));
    // Graded, equal, and too little apart.
    EXPECT_TRUE(slow_ranks(std::vector<double>{100, 120, 140, 160}, 0.1).ranks.empty());
    EXPECT_TRUE(slow_ranks(std::vector<double>{100, 100, 100, 100}, 0.1).ranks.empty());
    EXPECT_TRUE(slow_ranks(std::vector<double>{100, 100, 100, 105}, 0.1).ranks.empty());
}

}  // namespace
}  // namespace tracefold
