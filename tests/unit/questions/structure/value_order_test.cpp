// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/structure/detail/value_summary.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Sequence = std::vector<u64>;

/// One number after the other, or with equal ones as runs.
OrderFinder found(const Sequence& numbers, bool as_runs) {
    OrderFinder finder;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t end = i + 1;
        while (as_runs && end < numbers.size() && numbers[end] == numbers[i]) ++end;
        finder.add({numbers[i], 0, end - i});
        i = end;
    }
    return finder;
}

ValueOrder order(const Sequence& numbers) {
    const ValueOrder one_by_one = found(numbers, false).order();
    EXPECT_EQ(found(numbers, true).order(), one_by_one);
    return one_by_one;
}

TEST(ValueOrderTest, NumbersThatGrowOrShrinkBySteps) {
    EXPECT_EQ(order({8, 16, 24}), ValueOrder::progression);
    EXPECT_EQ(found({8, 16, 24}, false).step(), 8U);
    EXPECT_EQ(order({5, 3, 1}), ValueOrder::progression);
    EXPECT_EQ(static_cast<i64>(found({5, 3, 1}, false).step()), -2);
    EXPECT_EQ(order({8, 16, 25}), ValueOrder::none);
    EXPECT_EQ(order({8, 16}), ValueOrder::none);
    EXPECT_EQ(order({8, 16, 16}), ValueOrder::phases);
}

TEST(ValueOrderTest, RunsContinueAProgression) {
    OrderFinder finder;
    finder.add({1, 0, 1});
    finder.add({4, 3, 1000});
    EXPECT_EQ(finder.order(), ValueOrder::progression);
    finder.add({4 + 3 * 1000, 0, 1});
    EXPECT_EQ(finder.order(), ValueOrder::progression);
    finder.add({0, 3, 5});
    EXPECT_EQ(finder.order(), ValueOrder::none);
    EXPECT_FALSE(finder.is_open());
}

TEST(ValueOrderTest, NumbersInTurn) {
    EXPECT_EQ(order({7, 9, 7, 9}), ValueOrder::in_turn);
    EXPECT_EQ(order({7, 9, 7, 9, 7}), ValueOrder::in_turn);
    EXPECT_EQ(order({1, 3, 2, 1, 3, 2}), ValueOrder::in_turn);
    EXPECT_EQ(order({7, 9, 7}), ValueOrder::none);  // not twice
    EXPECT_EQ(order({7, 9, 7, 9, 9}), ValueOrder::none);
    EXPECT_EQ(order({7, 7, 9, 7, 7, 9}), ValueOrder::none);  // not all different
    EXPECT_EQ(order({1, 2, 3, 4, 5, 6, 7, 8, 10, 1, 2, 3, 4, 5, 6, 7, 8, 10}), ValueOrder::none);
}

TEST(ValueOrderTest, NumbersInPhases) {
    EXPECT_EQ(order({1, 4, 4, 4}), ValueOrder::phases);
    EXPECT_EQ(order({3, 3, 9, 2, 2}), ValueOrder::phases);
    EXPECT_EQ(order({3, 3, 9, 3}), ValueOrder::none);
    EXPECT_EQ(order({1, 5}), ValueOrder::none);
    EXPECT_EQ(order({4, 4, 4}), ValueOrder::none);
    EXPECT_EQ(order({}), ValueOrder::none);
}

}  // namespace
}  // namespace tracefold
