// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/rank_function.hpp"

#include "support/random_source.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

std::vector<u64> values_of(const RankFunction& function, const RankGrid& grid) {
    std::vector<u64> values;
    for (u64 p = 0; p < grid.participants(); ++p) values.push_back(evaluate(function, grid, p));
    return values;
}

TEST(RankFunctionTest, GridsHaveAllPlaces) {
    std::vector<std::vector<u32>> sizes;
    for (const RankGrid& grid : grids_of(12)) {
        EXPECT_EQ(grid.participants(), 12U);
        sizes.push_back(grid.sizes());
    }
    EXPECT_EQ(sizes, (std::vector<std::vector<u32>>{
                         {12}, {3, 4}, {4, 3}, {2, 6}, {6, 2}, {2, 2, 3}, {2, 3, 2}, {3, 2, 2}}));
    EXPECT_TRUE(grids_of(1).empty());
    EXPECT_EQ(grids_of(7).size(), 1U);
}

TEST(RankFunctionTest, CoordinatesAreThoseOfACartesianTopology) {
    const RankGrid grid({2, 3, 4});
    EXPECT_EQ(grid.coordinate(0, 17), 1U);
    EXPECT_EQ(grid.coordinate(1, 17), 1U);
    EXPECT_EQ(grid.coordinate(2, 17), 1U);
    EXPECT_EQ(grid.coordinate(2, 23), 3U);
}

TEST(DigitGridTest, CoordinatesConsistOfDigits) {
    const DigitGrid grid({{2, 0}, {3, 1}, {2, 0}});
    EXPECT_EQ(grid.sizes(), (std::vector<u32>{4, 3}));
    EXPECT_EQ(grid.participants(), 12U);
    EXPECT_EQ(grid.coordinate(0, 7), 3U);  // 1, 0, 1
    EXPECT_EQ(grid.coordinate(1, 7), 0U);
    EXPECT_EQ(grid.coordinate(1, 4), 2U);
    for (u64 p = 0; p < grid.participants(); ++p) {
        EXPECT_EQ(grid.weight(0, grid.coordinate(0, p)) + grid.weight(1, grid.coordinate(1, p)), p);
    }
}

TEST(DigitGridTest, GridsThatCuttingGives) {
    using Digits = std::vector<DigitGrid::Digit>;
    std::vector<Digits> found;
    for (const DigitGrid& grid : cut_grids_of(16)) {
        EXPECT_EQ(grid.participants(), 16U);
        found.push_back(grid.digits());
    }
    const auto has = [&](const Digits& digits) {
        return std::find(found.begin(), found.end(), digits) != found.end();
    };
    EXPECT_TRUE(has({{2, 0}, {2, 1}, {2, 0}, {2, 1}}));
    EXPECT_TRUE(has({{2, 2}, {2, 0}, {2, 1}, {2, 2}}));
    EXPECT_FALSE(has({{2, 0}, {2, 0}, {2, 1}, {2, 1}}));  // a plain one
    EXPECT_TRUE(cut_grids_of(7).empty());
}

TEST(RankFunctionTest, NeighboursOnATorus) {
    const RankGrid grid({4, 5});
    std::vector<u64> values;
    for (u64 p = 0; p < 20; ++p) values.push_back((p / 5 + 3) % 4 * 5 + (p + 1) % 5);
    const auto function = fit_function(grid, values);
    ASSERT_TRUE(function);
    EXPECT_EQ(place_text(*function, grid), "(x+1 mod 5, y-1 mod 4)");
    EXPECT_EQ(values_of(*function, grid), values);
    values[13] += 1;
    EXPECT_FALSE(fit_function(grid, values));
}

/// Tags of the sweeps of NPB BT: the cell that a rank has in this stage.
TEST(RankFunctionTest, CellsOfAMultiPartition) {
    const RankGrid grid({4, 4});
    std::vector<u64> values;
    for (u64 p = 0; p < 16; ++p) values.push_back(4000 + (p + 2) % 4 + 4 * ((p / 4 + 1) % 4));
    const auto function = fit_function(grid, values);
    ASSERT_TRUE(function);
    EXPECT_EQ(values_of(*function, grid), values);
    EXPECT_FALSE(place_text(*function, grid));
}

/// The first stage of a sweep through x: the cell depends on both coordinates.
TEST(RankFunctionTest, CombinationsOfCoordinates) {
    const RankGrid grid({4, 4});
    std::vector<u64> values;
    for (u64 p = 0; p < 16; ++p) {
        const u64 x = p % 4;
        const u64 y = p / 4;
        values.push_back(3000 + (x + y + 3) % 4 + 4 * ((5 - x) % 4));
    }
    const auto function = fit_function(grid, values);
    ASSERT_TRUE(function);
    EXPECT_EQ(values_of(*function, grid), values);
    EXPECT_FALSE(place_text({0, function->terms}, grid));
}

TEST(RankFunctionTest, TransposedPlaces) {
    const RankGrid grid({3, 3});
    const std::vector<u64> values = {0, 3, 6, 1, 4, 7, 2, 5, 8};
    const auto function = fit_function(grid, values);
    ASSERT_TRUE(function);
    EXPECT_EQ(values_of(*function, grid), values);
    EXPECT_EQ(place_text({0, {{3, 1, {0, 2}}, {1, 0, {1, 0}}}}, grid), "(y, -x+1 mod 3)");
    EXPECT_EQ(place_text({0, {{3, 1, {0, 0}}, {1, 0, {1, 0}}}}, grid), std::nullopt);
}

/// The transpose exchange of NPB CG: a sum of strides as well, but told as a place.
TEST(RankFunctionTest, PlacesAreFoundWhereSumsAreToo) {
    const RankGrid grid({3, 3});
    const std::vector<u64> values = {0, 3, 6, 1, 4, 7, 2, 5, 8};
    const auto place = fit_places(grid, values);
    ASSERT_TRUE(place);
    EXPECT_EQ(values_of(*place, grid), values);
    EXPECT_EQ(place_text(*place, grid), "(y, x)");
    EXPECT_FALSE(fit_places(grid, std::vector<u64>(9, 9)));
}

/// The ranks that take part in a coarse level of NPB MG: those with even coordinates.
TEST(RankFunctionTest, SomeRanksOfATorusHavePlacesEquallyFar) {
    const RankGrid grid({4, 4});
    const std::vector<u32> ranks = {0, 2, 8, 10};
    const auto function = fit_displacement(grid, ranks, std::vector<u64>{6, 4, 14, 12});
    ASSERT_TRUE(function);
    EXPECT_EQ(place_text(*function, grid), "(x+2 mod 4, y+1 mod 4)");
    EXPECT_EQ(evaluate(*function, grid, 10), 12U);
    EXPECT_FALSE(fit_displacement(grid, ranks, std::vector<u64>{6, 4, 14, 13}));
    EXPECT_FALSE(fit_displacement(grid, ranks, std::vector<u64>{6, 4, 14, 28}));
}

TEST(RankFunctionTest, ConstantsAndLinesAreFunctions) {
    const RankGrid line({6});
    for (const std::vector<u64>& values :
         {std::vector<u64>(6, 7), std::vector<u64>{50, 40, 30, 20, 10, 0}}) {
        const auto function = fit_function(line, values);
        ASSERT_TRUE(function);
        EXPECT_EQ(values_of(*function, line), values);
    }
    EXPECT_FALSE(fit_function(line, std::vector<u64>{0, 1, 3, 6, 10, 15}));
    EXPECT_FALSE(fit_function(line, std::vector<u64>{0, 1, 0, 1, 0, 1}));
}

TEST(RankFunctionTest, WhatIsFittedIsWhatWasThere) {
    RandomSource random(1);
    for (int round = 0; round < 3000; ++round) {
        std::vector<u32> sizes;
        for (u64 d = random.between(1, 3); d > 0; --d) {
            sizes.push_back(static_cast<u32>(random.between(2, 7)));
        }
        const RankGrid grid(sizes);
        RankFunction function{random.value(), {}};
        for (const u32 size : sizes) {
            const u64 stride = random.one_in(4) ? 0 : random.value();
            const auto offset = static_cast<u32>(random.below(size));
            std::vector<u32> coefficients(sizes.size(), 0);
            coefficients[function.terms.size()] = 1;
            function.terms.push_back({stride, offset, std::move(coefficients)});
        }
        std::vector<u64> values = values_of(function, grid);
        const auto fitted = fit_function(grid, values);
        ASSERT_TRUE(fitted);
        ASSERT_EQ(values_of(*fitted, grid), values);
        // A function that is found for other values has these values.
        values[random.below(values.size())] += random.between(1, 3);
        const auto other = fit_function(grid, values);
        if (other) {
            ASSERT_EQ(values_of(*other, grid), values);
        }
    }
}

}  // namespace
}  // namespace tracefold
