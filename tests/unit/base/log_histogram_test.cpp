// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/log_histogram.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

std::vector<u64> random_numbers(u64 seed, std::size_t count) {
    std::mt19937_64 random(seed);
    std::vector<u64> numbers;
    for (std::size_t i = 0; i < count; ++i) numbers.push_back(random() >> (random() % 64));
    return numbers;
}

LogHistogram histogram_of(const std::vector<u64>& numbers) {
    LogHistogram histogram;
    for (const u64 number : numbers) histogram.add(number);
    return histogram;
}

TEST(LogBuckets, CoverAllNumbersWithoutGaps) {
    EXPECT_EQ(kLogBuckets, 496U);
    for (u32 bucket = 0; bucket < kLogBuckets; ++bucket) {
        const u64 start = log_bucket_start(bucket);
        const u64 last = start + (log_bucket_width(bucket) - 1);
        EXPECT_EQ(log_bucket(start), bucket);
        EXPECT_EQ(log_bucket(last), bucket);
        if (bucket + 1 < kLogBuckets) {
            EXPECT_EQ(last + 1, log_bucket_start(bucket + 1));
        } else {
            EXPECT_EQ(last, ~u64{0});
        }
    }
}

TEST(LogBuckets, TheMiddleIsWithinOneSixteenth) {
    for (const u64 number : random_numbers(1, 10000)) {
        const u64 middle = log_bucket_middle(log_bucket(number));
        const u64 error = number < middle ? middle - number : number - middle;
        EXPECT_LE(error, number / 16 + 1) << number;
    }
}

TEST(LogHistogram, KnowsCountSumAndExtremes) {
    const LogHistogram histogram = histogram_of({5, 100, 7, 0});
    EXPECT_EQ(histogram.count(), 4U);
    EXPECT_EQ(histogram.sum(), 112U);
    EXPECT_EQ(histogram.min(), 0U);
    EXPECT_EQ(histogram.max(), 100U);
    EXPECT_EQ(histogram.mean(), 28U);
    EXPECT_EQ(LogHistogram().min(), 0U);
    EXPECT_EQ(LogHistogram().mean(), 0U);
}

TEST(LogHistogram, UnionIsThatOfTheNumbers) {
    const std::vector<u64> a = random_numbers(2, 500);
    const std::vector<u64> b = random_numbers(3, 700);
    std::vector<u64> both = a;
    both.insert(both.end(), b.begin(), b.end());
    LogHistogram left = histogram_of(a);
    left.merge(histogram_of(b));
    LogHistogram right = histogram_of(b);
    right.merge(histogram_of(a));
    EXPECT_EQ(left, histogram_of(both));
    EXPECT_EQ(right, left);
}

TEST(LogHistogram, PlacesAreThoseOfTheSortedNumbers) {
    std::vector<u64> numbers = random_numbers(4, 1000);
    const LogHistogram histogram = histogram_of(numbers);
    std::sort(numbers.begin(), numbers.end());
    EXPECT_EQ(histogram.at(0), numbers.front());
    EXPECT_EQ(histogram.at(999), numbers.back());
    for (u64 place = 0; place < 1000; ++place) {
        const u64 found = histogram.at(place);
        EXPECT_EQ(log_bucket(found), log_bucket(numbers[place]));
    }
}

TEST(LogHistogram, ComesBackFromItsParts) {
    const LogHistogram histogram = histogram_of(random_numbers(5, 100));
    EXPECT_EQ(LogHistogram::from_parts(histogram.buckets(), histogram.sum(), histogram.min(),
                                       histogram.max()),
              histogram);
}

}  // namespace
}  // namespace tracefold
