// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/prediction.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Point = ParameterSearch::Point;

/// The maximum of lines.
class Function {
  public:
    explicit Function(u32 seed) {
        std::mt19937 random(seed);
        for (int i = 0; i < 12; ++i) {
            lines_.emplace_back(static_cast<double>(random() % 100000),
                                static_cast<double>(random() % 500));
        }
    }

    [[nodiscard]] Point at(double value) const {
        Point best{value, -1, 0};
        for (const auto& [offset, slope] : lines_) {
            const double result = offset + slope * value;
            if (result > best.result) best = {value, result, slope};
        }
        return best;
    }

  private:
    std::vector<std::pair<double, double>> lines_;
};

TEST(ParameterSearchTest, FindsWhereAConvexFunctionReachesItsTarget) {
    for (u32 seed = 1; seed <= 200; ++seed) {
        const Function function(seed);
        const Point start = function.at(0);
        const double target = 1.5 * start.result + 1;
        const std::vector<Point> known = {start, function.at(3), function.at(4000)};
        ParameterSearch search(known, target, 1e9, 1e-6);
        int steps = 0;
        for (; !search.wanted().empty(); ++steps) {
            std::vector<Point> points;
            for (const double value : search.wanted()) points.push_back(function.at(value));
            search.take(points);
        }
        ASSERT_TRUE(search.found()) << seed;
        EXPECT_NEAR(function.at(*search.found()).result, target, 1e-3) << seed;
        EXPECT_LE(steps, 6) << seed;  // every step leaves out a piece on both sides
    }
}

TEST(ParameterSearchTest, FindsNothingWhereNothingRises) {
    const std::vector<Point> flat = {{0, 100, 0}};
    ParameterSearch search(flat, 110, 1000, 1e-6);
    ASSERT_EQ(search.wanted().size(), 1U);
    EXPECT_EQ(search.wanted().front(), 1000);
    const std::vector<Point> end = {{1000, 100, 0}};
    search.take(end);
    EXPECT_TRUE(search.wanted().empty());
    EXPECT_FALSE(search.found());
}

TEST(ParameterSearchTest, BetweenPointsOfOneLineNothingIsAskedFor) {
    const std::vector<Point> line = {{0, 100, 2}, {50, 200, 2}};
    const ParameterSearch search(line, 130, 1000, 1e-6);
    EXPECT_TRUE(search.wanted().empty());
    EXPECT_EQ(search.found(), 15);
}

}  // namespace
}  // namespace tracefold
