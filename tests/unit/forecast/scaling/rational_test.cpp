// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/elimination.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(RationalTest, IsReduced) {
    EXPECT_EQ(Rational(6, -4), Rational(-3, 2));
    EXPECT_EQ(Rational(1, 3) + Rational(1, 6), Rational(1, 2));
    EXPECT_EQ((Rational(4) / Rational(2)).whole(), 2);
    EXPECT_EQ((Rational(1) / Rational(2)).whole(), std::nullopt);
}

TEST(RationalTest, TakesEveryNumber) {
    constexpr i64 kLeast = std::numeric_limits<i64>::min();
    EXPECT_EQ(Rational(kLeast).whole(), kLeast);
}

TEST(RationalTest, IsNoNumberWhereItDoesNotFit) {
    const Rational large(std::numeric_limits<i64>::max());
    EXPECT_FALSE((large + Rational(1)).is_number());
    EXPECT_FALSE((large * large).is_number());
    EXPECT_FALSE((Rational(1) / Rational(0)).is_number());
    EXPECT_FALSE(Rational::none() == Rational::none());
}

}  // namespace
}  // namespace tracefold
