// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/rank_function.hpp"
#include "support/random_source.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// However the cells of uneven parts are dealt out, they come into the same order.
TEST(SquareWayTest, BlocksAreFoundWhereverTheyBegin) {
    constexpr u32 kSide = 7;
    const RankGrid grid({kSide, kSide});
    const auto length = [](u64 cell) { return cell < 3 ? 13U : cell < 6 ? 12U : 11U; };
    std::vector<u64> first;
    RandomSource random(2);
    for (int round = 0; round < 50; ++round) {
        const u64 a = random.below(kSide);
        const u64 b = random.below(kSide);
        const bool diagonal = random.one_in(2);
        std::vector<u64> values;
        for (u64 p = 0; p < u64{kSide} * kSide; ++p) {
            const u64 x = p % kSide;
            const u64 y = p / kSide;
            const u64 cell_x = (diagonal ? x + y + a : x + a) % kSide;
            const u64 cell_y = (2 * kSide - y + b) % kSide;
            values.push_back(176 * length(cell_x) * length(cell_y));
        }
        const RankFunction way = find_blocks(grid, values);
        std::vector<u64> ordered(values.size(), 0);
        for (u64 p = 0; p < values.size(); ++p) ordered[evaluate(way, grid, p)] = values[p];
        if (round == 0) first = ordered;
        EXPECT_EQ(ordered, first);
        EXPECT_EQ(std::count(ordered.begin(), ordered.end(), 0U), 0);
    }
}

std::vector<u64> random_square(RandomSource& random, u32 size) {
    std::vector<u64> square;
    const u64 different = random.between(4, 40);
    for (u32 p = 0; p < size * size; ++p) square.push_back(random.below(different));
    return square;
}

/// A way along two combinations of the coordinates that reaches every place.
RankFunction random_way(RandomSource& random, const RankGrid& grid) {
    const u32 size = grid.sizes()[0];
    const std::vector<std::pair<std::vector<u32>, std::vector<u32>>> pairs = {
        {{1, 0}, {0, 1}},
        {{1, 1}, {0, 1}},
        {{1, size - 1}, {0, size - 1}},
        {{size - 1, 0}, {1, 1}}};
    auto [row, column] = random.pick(pairs);
    if (random.one_in(2)) std::swap(row, column);
    const auto offset = [&] { return static_cast<u32>(random.below(size)); };
    return {0, {{grid.stride(0), offset(), row}, {grid.stride(1), offset(), column}}};
}

/// What has been brought to other places along some way comes back along the way that is found.
TEST(SquareWayTest, WaysIntoAKnownSquareAreFound) {
    RandomSource random(5);
    for (int round = 0; round < 400; ++round) {
        const auto size = static_cast<u32>(random.between(3, 9));
        const RankGrid grid({size, size});
        const std::vector<u64> square = random_square(random, size);
        const RankFunction way = random_way(random, grid);
        std::vector<u64> values;
        for (u64 p = 0; p < grid.participants(); ++p) {
            values.push_back(square[evaluate(way, grid, p)]);
        }
        const auto found = find_way(grid, square, values);
        ASSERT_TRUE(found) << round;
        for (u64 p = 0; p < grid.participants(); ++p) {
            ASSERT_EQ(square[evaluate(*found, grid, p)], values[p]) << round;
        }
        ++values[random.below(values.size())];
        EXPECT_FALSE(find_way(grid, square, values)) << round;
    }
}

}  // namespace
}  // namespace tracefold
