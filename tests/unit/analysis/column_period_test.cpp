// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// The period of columns is that of their numbers, however they are folded.
#include "analysis/column_period.hpp"

#include "analysis/repeating_stretch.hpp"
#include "property/random_source.hpp"
#include "unit/fold/folded_column.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Sequence = std::vector<u64>;

Sequence operator*(const Sequence& part, u64 times) {
    Sequence all;
    for (u64 i = 0; i < times; ++i) all.insert(all.end(), part.begin(), part.end());
    return all;
}

Sequence operator+(Sequence first, const Sequence& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

u64 period_of(const Sequence& numbers) {
    const FoldedColumn folded(numbers);
    return column_period(PeriodicCursor(folded.source(), folded.id()), numbers.size());
}

TEST(ColumnPeriodTest, IsTheShortest) {
    EXPECT_EQ(period_of(Sequence(1000, 5)), 1U);
    EXPECT_EQ(period_of(Sequence{1, 2, 3} * 1000), 3U);
    EXPECT_EQ(period_of((Sequence{1, 2} * 25 + Sequence{7}) * 15), 51U);
    EXPECT_EQ(period_of((Sequence{1, 2} * 25 + Sequence{7}) * 15 + Sequence{1, 2, 1}), 51U);
}

/// What was left out of the long runs must not be missing in the period.
TEST(ColumnPeriodTest, CountsLongRunsWhole) {
    const Sequence twice = (Sequence(1000, 4) + Sequence{9}) * 2;
    EXPECT_EQ(period_of(twice), 1001U);
    EXPECT_EQ(period_of(twice + Sequence(999, 4) + Sequence{9}), 3002U);
}

TEST(ColumnPeriodTest, OneDifferentNumberUndoesIt) {
    Sequence numbers = Sequence{1, 2, 3} * 1000;
    numbers[1500] = 7;
    EXPECT_EQ(period_of(numbers), shortest_period(numbers));
    EXPECT_GT(period_of(numbers), 1000U);
}

TEST(ColumnPeriodTest, IsThatOfTheNumbersOneByOne) {
    RandomSource random(5);
    for (int round = 0; round < 300; ++round) {
        Sequence inner;
        for (u64 i = random.below(4) + 1; i > 0; --i) inner.push_back(random.below(3));
        Sequence numbers = inner * (random.below(600) + 1);
        if (random.below(2) == 0) numbers = (numbers + Sequence{random.below(3)}) * 20;
        if (random.below(2) == 0) numbers.resize(numbers.size() - random.below(numbers.size()));
        EXPECT_EQ(period_of(numbers), shortest_period(numbers));
    }
}

}  // namespace
}  // namespace tracefold
