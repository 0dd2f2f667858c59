// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/tick_rate.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

constexpr u64 kMost = ~u64{0};

TEST(TickRateTest, SecondsHaveNineDecimals) {
    EXPECT_EQ(TickRate(1000).seconds_text(u64{0}), "0.000000000");
    EXPECT_EQ(TickRate(1'000'000'000).seconds_text(u64{1'234'567'890}), "1.234567890");
    EXPECT_EQ(TickRate(3).seconds_text(u64{1}), "0.333333333");
    EXPECT_EQ(TickRate(3).seconds_text(u64{2}), "0.666666667");
}

TEST(TickRateTest, RoundingCarriesOver) {
    EXPECT_EQ(TickRate(10'000'000'000).seconds_text(u64{19'999'999'999}), "2.000000000");
}

TEST(TickRateTest, LateMomentsAreExact) {
    // 2^64 = 18446744073709551616
    EXPECT_EQ(TickRate(1'000'000'000).seconds_text(kMost), "18446744073.709551615");
    EXPECT_EQ(TickRate(kMost).seconds_text(kMost), "1.000000000");
    EXPECT_EQ(TickRate(kMost).seconds_text(kMost / 2), "0.500000000");
    EXPECT_EQ(TickRate(2'500'000'000).nanoseconds(kMost), 7378697629483820646U);
    EXPECT_EQ(TickRate(1).nanoseconds(18'446'744'073), 18'446'744'073'000'000'000U);
    EXPECT_EQ(TickRate(1).nanoseconds(kMost), kMost);
}

TEST(TickRateTest, NanosecondsRoundDownOrToTheNearest) {
    EXPECT_EQ(TickRate(3'000'000'000).nanoseconds(5), 1U);
    EXPECT_EQ(TickRate(3'000'000'000).nearest_nanosecond(5), 2U);
    EXPECT_EQ(TickRate(1'000'000'000).picoseconds(7), 7000U);
}

TEST(TickRateTest, DurationsOfClocksThatRanBackwardsAreNegative) {
    EXPECT_EQ(TickRate(1000).seconds_text(TickSpan::between(2000, 500)), "-1.500000000");
    EXPECT_EQ(TickRate(1000).seconds(TickSpan::between(2000, 500)), -1.5);
    // More than half of all moments lie between.
    EXPECT_EQ(TickRate(1'000'000'000).seconds_text(TickSpan::between(1, kMost)),
              "18446744073.709551614");
}

TEST(TickRateTest, AnUnknownRateCountsNanoseconds) {
    EXPECT_EQ(TickRate(0), TickRate(1'000'000'000));
    EXPECT_EQ(TickRate(0).seconds_text(u64{20}), "0.000000020");
    EXPECT_EQ(TickRate(0).seconds(u64{2'000'000'000}), 2.0);
}

}  // namespace
}  // namespace tracefold
