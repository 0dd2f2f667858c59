// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/steps/repeated_steps.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Numbers = std::vector<u64>;

std::optional<Repetition> find(const Numbers& numbers) {
    return find_repetition(numbers, Numbers(numbers.size(), 1));
}

void append(Numbers& numbers, const Numbers& more, int times) {
    for (int i = 0; i < times; ++i) numbers.insert(numbers.end(), more.begin(), more.end());
}

TEST(RepetitionTest, FindsTheShortestPeriod) {
    Numbers numbers = {7, 8};
    append(numbers, {1, 2, 3}, 5);
    append(numbers, {9, 9}, 1);
    const auto found = find(numbers);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->begin, 2U);
    EXPECT_EQ(found->end, 17U);
    EXPECT_EQ(found->period, 3U);
    EXPECT_EQ(found->count(), 5U);
}

TEST(RepetitionTest, NeedsHalfOfTheWeight) {
    Numbers numbers = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
    append(numbers, {1, 2}, 4);
    EXPECT_FALSE(find(numbers));
    Numbers weights(numbers.size(), 1);
    std::fill(weights.begin() + 10, weights.end(), 2);
    EXPECT_TRUE(find_repetition(numbers, weights));
    EXPECT_FALSE(find({}));
    EXPECT_FALSE(find({1, 2, 3, 4}));
}

TEST(RepetitionTest, TwiceIsEnoughForNearlyAll) {
    EXPECT_TRUE(find({1, 2, 3, 4, 1, 2, 3, 4}));
    EXPECT_FALSE(find({8, 9, 7, 1, 2, 3, 4, 1, 2, 3, 4, 5}));
}

/// What is found is what it says, and nothing with a shorter period would have done.
TEST(RepetitionTest, AgreesWithTryingAll) {
    std::mt19937 random(11);
    for (int round = 0; round < 3000; ++round) {
        Numbers numbers;
        const u64 letters = 1 + random() % 4;
        const std::size_t size = 1 + random() % 24;
        for (std::size_t i = 0; i < size; ++i) numbers.push_back(random() % letters);
        std::size_t shortest = 0;
        for (std::size_t period = 1; period <= size && shortest == 0; ++period) {
            for (std::size_t begin = 0; begin + 2 * period <= size; ++begin) {
                std::size_t end = begin + period;
                while (end < size && numbers[end] == numbers[end - period]) ++end;
                const std::size_t count = (end - begin) / period;
                const bool nearly = (size - (end - begin)) * 5 <= size;
                const bool enough = (end - begin) * 2 >= size;
                if (enough && (count > 2 || (count == 2 && nearly))) shortest = period;
            }
        }
        const auto found = find(numbers);
        ASSERT_EQ(found.has_value(), shortest != 0);
        if (!found) continue;
        EXPECT_GE(found->period, shortest);
        for (std::size_t i = found->begin + found->period; i < found->end; ++i) {
            ASSERT_EQ(numbers[i], numbers[i - found->period]);
        }
        const bool nearly_all = (size - (found->end - found->begin)) * 5 <= size;
        EXPECT_TRUE(found->period == shortest || nearly_all);
    }
}

TEST(RepetitionTest, StretchesDoNotOverlap) {
    Numbers numbers;
    append(numbers, {1}, 4);
    append(numbers, {2}, 2);
    append(numbers, {3}, 5);
    const std::vector<Repetition> found = repetitions_of(numbers, 1);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].begin, 0U);
    EXPECT_EQ(found[0].end, 4U);
    EXPECT_EQ(found[1].begin, 6U);
    EXPECT_EQ(found[1].end, 11U);
}

}  // namespace
}  // namespace tracefold
