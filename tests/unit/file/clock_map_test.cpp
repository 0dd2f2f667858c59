// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/common_clock.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(ClockMapTest, NearMapsDifferByFewTicks) {
    const ClockMap map({{100, 1000}, {200, 1050}});
    EXPECT_TRUE(map.is_near(ClockMap({{100, 995}, {200, 1055}}), 5));
    EXPECT_FALSE(map.is_near(ClockMap({{100, 995}, {200, 1055}}), 4));
    EXPECT_FALSE(map.is_near(ClockMap({{0, -50}}), 5));
    EXPECT_TRUE(ClockMap({{0, -5}}).is_near(ClockMap(), 5));
    EXPECT_FALSE(ClockMap().is_near(ClockMap({{0, -6}}), 5));
    EXPECT_DOUBLE_EQ(map.drift(), 0.5);
    EXPECT_EQ(ClockMap({{0, -50}}).drift(), 0);
}

TEST(ClockMapTest, OffsetsAreLinearBetweenAndBeyondTheirTimes) {
    EXPECT_EQ(ClockMap().common(5), 5U);
    EXPECT_EQ(ClockMap({{100, -7}}).common(50), 43U);
    const ClockMap map({{2000, 30}, {1000, 10}, {3000, 30}});
    EXPECT_EQ(map.common(1000), 1010U);
    EXPECT_EQ(map.common(1500), 1520U);
    EXPECT_EQ(map.common(2500), 2530U);
    EXPECT_EQ(map.common(0), u64{0} - 10);
    EXPECT_EQ(map.common(4000), 4030U);
}

}  // namespace
}  // namespace tracefold
