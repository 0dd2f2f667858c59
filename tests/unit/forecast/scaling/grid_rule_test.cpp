// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/program_model.hpp"

#include <set>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Sizes = std::vector<u32>;

TEST(GridRuleTest, SizesAreThoseOfDimsCreate) {
    EXPECT_EQ(even_sizes(12, 2), (Sizes{4, 3}));
    EXPECT_EQ(even_sizes(12, 3), (Sizes{3, 2, 2}));
    EXPECT_EQ(even_sizes(18, 3), (Sizes{3, 3, 2}));
    EXPECT_EQ(even_sizes(7, 2), (Sizes{7, 1}));
    EXPECT_EQ(even_sizes(65'536, 3), (Sizes{64, 32, 32}));
}

TEST(GridRuleTest, OrderSaysWhichDimensionIsTheLargest) {
    EXPECT_EQ(grid_by({{0, 1, 2}}, 18).sizes(), (Sizes{3, 3, 2}));
    EXPECT_EQ(grid_by({{2, 1, 0}}, 18).sizes(), (Sizes{2, 3, 3}));
    EXPECT_EQ(to_text(GridRule{{1, 0}}), "2-D, x >= y");
    EXPECT_EQ(grid_rules().size(), 10U);
    EXPECT_EQ(grid_by({{}, true}, 32).sizes(), (Sizes{4, 4, 2}));
    EXPECT_EQ(grid_by({{0, 1}, false, {{12, {6, 2}}}}, 12).sizes(), (Sizes{6, 2}));
}

TEST(GridRuleTest, NamesWhatAllRunsHaveInCommon) {
    EXPECT_EQ(missing_property({8, 27, 64}, 100), "a cube");
    EXPECT_EQ(missing_property({8, 27, 64}, 125), "");
    EXPECT_EQ(missing_property({4, 9, 16}, 24), "a square");
    EXPECT_EQ(missing_property({2, 8, 32}, 12), "a power of two");
    EXPECT_EQ(missing_property({2, 8}, 12), "");
    EXPECT_EQ(missing_property({4, 6, 8}, 10), "");
}

TEST(GridClassesTest, BordersAreTheSameInGridsOfAllSizes) {
    const GridClasses borders{1};
    std::set<u64> classes;
    const RankGrid grid(Sizes{4, 5});
    for (u32 rank = 0; rank < 20; ++rank) classes.insert(class_of(borders, grid, rank));
    EXPECT_EQ(classes.size(), 9U);
    EXPECT_EQ(class_of(borders, grid, 0), class_of(borders, RankGrid(Sizes{7, 3}), 0));
    EXPECT_EQ(class_of(borders, grid, 6), class_of(borders, RankGrid(Sizes{7, 3}), 4));
    EXPECT_NE(class_of(borders, grid, 0), class_of(borders, RankGrid(Sizes{1, 5}), 0));
}

}  // namespace
}  // namespace tracefold
