// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/stats/moments.hpp"

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "base/hash.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// One more is kOverflow.
constexpr u64 kLargest = std::numeric_limits<u64>::max() - 1;

Moments moments_of(const std::vector<u64>& numbers) {
    Moments moments;
    for (const u64 number : numbers) moments.add(number);
    return moments;
}

/// Numbers of all magnitudes, in no order.
std::vector<u64> some_numbers(std::size_t count) {
    std::vector<u64> numbers;
    for (u64 i = 0; i < count; ++i) numbers.push_back(mix(i + 1) >> (mix(i) % 64));
    return numbers;
}

TEST(MomentsTest, TellsTheFiguresOfAFewNumbers) {
    const Moments moments = moments_of({2, 4, 4, 4, 5, 5, 7, 9});
    EXPECT_EQ(moments.count(), 8U);
    EXPECT_EQ(moments.total(), 40U);
    EXPECT_EQ(moments.min(), 2U);
    EXPECT_EQ(moments.max(), 9U);
    EXPECT_DOUBLE_EQ(moments.mean(), 5);
    EXPECT_DOUBLE_EQ(moments.deviation(), 2);
}

TEST(MomentsTest, IsZeroWhenEmpty) {
    const Moments moments;
    EXPECT_TRUE(moments.empty());
    EXPECT_EQ(moments.min(), 0U);
    EXPECT_EQ(moments.max(), 0U);
    EXPECT_EQ(moments.mean(), 0);
    EXPECT_EQ(moments.deviation(), 0);
}

TEST(MomentsTest, LosesNothingWhereTheMeanIsFarLargerThanTheDeviation) {
    // In doubles these squares are all the same.
    const u64 far = u64{1} << 62U;
    EXPECT_DOUBLE_EQ(moments_of({far, far + 1, far + 2}).deviation(), std::sqrt(2.0 / 3));
}

TEST(MomentsTest, DoesNotWrapAroundWithTheLargestNumbers) {
    Moments moments;
    moments.add(kLargest, u64{1} << 61U);
    moments.add(0, u64{1} << 61U);
    EXPECT_DOUBLE_EQ(moments.mean(), std::ldexp(1.0, 63));
    EXPECT_DOUBLE_EQ(moments.deviation(), std::ldexp(1.0, 63));
    EXPECT_FALSE(moments.total());
}

TEST(MomentsTest, RefusesMoreNumbersThanItCounts) {
    Moments moments;
    moments.add(1, (u64{1} << 63U) - 1);
    EXPECT_THROW(moments.add(1, 1), Error);
    EXPECT_THROW(moments.merge(moments_of({1})), Error);
}

TEST(MomentsTest, AddsTheSameNumberSeveralTimes) {
    Moments moments;
    moments.add(kLargest - 5, 3);
    moments.add(12, 2);
    moments.add(99, 0);
    EXPECT_EQ(moments, moments_of({kLargest - 5, 12, kLargest - 5, kLargest - 5, 12}));
}

TEST(MomentsTest, IsTheSameForEveryOrderAndShapeOfMerging) {
    const std::vector<u64> numbers = some_numbers(1000);
    const Moments whole = moments_of(numbers);
    for (const std::size_t parts : {2U, 3U, 7U, 64U}) {
        std::vector<Moments> pieces(parts);
        for (std::size_t i = 0; i < numbers.size(); ++i) pieces[i % parts].add(numbers[i]);
        Moments forward;
        Moments backward;
        for (std::size_t i = 0; i < parts; ++i) {
            forward.merge(pieces[i]);
            backward.merge(pieces[parts - 1 - i]);
        }
        EXPECT_EQ(forward, whole);
        EXPECT_EQ(backward, whole);
        EXPECT_EQ(forward.deviation(), whole.deviation());
    }
}

TEST(MomentsTest, AgreesWithAPlainComputation) {
    std::vector<u64> numbers;
    for (u64 i = 0; i < 500; ++i) numbers.push_back(mix(i + 1) % 1'000'000);
    long double mean = 0;
    for (const u64 number : numbers) mean += static_cast<long double>(number);
    mean /= static_cast<long double>(numbers.size());
    long double variance = 0;
    for (const u64 number : numbers) {
        variance +=
            (static_cast<long double>(number) - mean) * (static_cast<long double>(number) - mean);
    }
    variance /= static_cast<long double>(numbers.size());
    const Moments moments = moments_of(numbers);
    EXPECT_DOUBLE_EQ(moments.mean(), static_cast<double>(mean));
    EXPECT_DOUBLE_EQ(moments.deviation(), static_cast<double>(std::sqrt(variance)));
}

TEST(MomentsTest, SurvivesTheWayOverBytes) {
    for (const Moments& moments : {Moments(), moments_of({0}), moments_of({kLargest, kLargest}),
                                   moments_of(some_numbers(99))}) {
        const std::string bytes = to_bytes(moments);
        EXPECT_LE(bytes.size(), 89U);
        EXPECT_EQ(from_bytes<Moments>(bytes, "moments"), moments);
    }
}

}  // namespace
}  // namespace tracefold
