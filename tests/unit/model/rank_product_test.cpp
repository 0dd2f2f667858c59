// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/rank_grid.hpp"
#include "support/random_source.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

GridBox whole(const DigitGrid& grid) {
    return {std::vector<u32>(grid.dimensions(), 0), grid.sizes()};
}

std::vector<u64> values_of(const RankProduct& product, const DigitGrid& grid) {
    std::vector<u64> values;
    for (u64 p = 0; p < grid.participants(); ++p) values.push_back(evaluate(product, grid, p));
    return values;
}

/// Faces of the boxes of 25 nodes cut into 4 parts in each dimension, as bisection numbers them.
TEST(RankProductTest, FacesOfUnevenBoxes) {
    const DigitGrid grid({{2, 0}, {2, 1}, {2, 0}, {2, 1}});
    std::vector<u64> values;
    for (u64 p = 0; p < grid.participants(); ++p) {
        const auto edge = [&](std::size_t d) { return grid.coordinate(d, p) == 0 ? 7U : 6U; };
        values.push_back(u64{8} * edge(0) * edge(1));
    }
    const auto product = fit_product(grid, whole(grid), values);
    ASSERT_TRUE(product);
    EXPECT_EQ(product->base, 8U);
    EXPECT_EQ(product->factors, (std::vector<std::vector<u64>>{{7, 6, 6, 6}, {7, 6, 6, 6}}));
    ++values[5];
    EXPECT_FALSE(fit_product(grid, whole(grid), values));
}

TEST(RankProductTest, SumsAndNothingTimesSomethingAreNone) {
    const DigitGrid grid(RankGrid({2, 2}));
    EXPECT_FALSE(fit_product(grid, whole(grid), std::vector<u64>{1, 2, 3, 4}));
    EXPECT_FALSE(fit_product(grid, whole(grid), std::vector<u64>{0, 2, 2, 4}));
    const auto nothing = fit_product(grid, whole(grid), std::vector<u64>{0, 0, 0, 0});
    ASSERT_TRUE(nothing);
    EXPECT_EQ(nothing->base, 0U);
}

/// What is fitted in a box is what was there, and what is outside does not matter.
TEST(RankProductTest, WhatIsFittedIsWhatWasThere) {
    RandomSource random(6);
    for (int round = 0; round < 1000; ++round) {
        std::vector<u32> sizes;
        GridBox box;
        RankProduct product{random.between(1, 1000), {}};
        for (u64 d = random.between(1, 3); d > 0; --d) {
            sizes.push_back(static_cast<u32>(random.between(2, 6)));
            box.begin.push_back(static_cast<u32>(random.below(sizes.back())));
            box.end.push_back(static_cast<u32>(random.between(box.begin.back() + 1, sizes.back())));
            product.factors.emplace_back();
            if (random.one_in(3)) continue;
            for (u32 x = 0; x < sizes.back(); ++x) {
                product.factors.back().push_back(random.between(1, 100));
            }
        }
        const DigitGrid grid{RankGrid(sizes)};
        std::vector<u64> values = values_of(product, grid);
        const auto is_inside = [&](u64 p) {
            bool inside = true;
            for (std::size_t d = 0; d < sizes.size(); ++d) {
                const u32 x = grid.coordinate(d, p);
                inside = inside && x >= box.begin[d] && x < box.end[d];
            }
            return inside;
        };
        for (u64 p = 0; p < values.size(); ++p) {
            if (!is_inside(p)) values[p] = random.any();
        }
        const auto fitted = fit_product(grid, box, values);
        ASSERT_TRUE(fitted) << round;
        for (u64 p = 0; p < values.size(); ++p) {
            if (is_inside(p)) {
                ASSERT_EQ(evaluate(*fitted, grid, p), values[p]) << round;
            }
        }
    }
}

/// Of any numbers, those that are claimed to be a product are one.
TEST(RankProductTest, NothingIsClaimedThatIsNotSo) {
    RandomSource random(7);
    int claimed = 0;
    for (int round = 0; round < 3000; ++round) {
        const DigitGrid grid(RankGrid({2, 2}));
        std::vector<u64> values;
        for (int p = 0; p < 4; ++p) values.push_back(random.below(4));
        const auto fitted = fit_product(grid, whole(grid), values);
        if (!fitted) continue;
        ++claimed;
        EXPECT_EQ(values_of(*fitted, grid), values);
    }
    EXPECT_GT(claimed, 100);
    EXPECT_LT(claimed, 1500);
}

}  // namespace
}  // namespace tracefold
