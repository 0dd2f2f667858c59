// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/stats/distribution.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// Every number is in the bin whose bounds it lies between, and bins follow each other.
void expect_sound(const LinearBins& bins) {
    EXPECT_EQ(bins.first(0), bins.min());
    EXPECT_EQ(bins.last(bins.count() - 1), bins.max());
    for (u32 bin = 0; bin < bins.count(); ++bin) {
        EXPECT_EQ(bins.of(bins.first(bin)), bin);
        EXPECT_EQ(bins.of(bins.last(bin)), bin);
        if (bin == 0) continue;
        EXPECT_EQ(bins.last(bin - 1) + 1, bins.first(bin));
    }
}

TEST(LinearBinsTest, CutsARangeIntoEqualParts) {
    const LinearBins bins(10, 29, 4);
    EXPECT_EQ(bins.count(), 4U);
    EXPECT_EQ(bins.first(1), 15U);
    EXPECT_EQ(bins.last(1), 19U);
    EXPECT_EQ(bins.of(14), 0U);
    EXPECT_EQ(bins.of(15), 1U);
    expect_sound(bins);
}

TEST(LinearBinsTest, HasNoMoreBinsThanNumbers) {
    EXPECT_EQ(LinearBins(7, 7, 20).count(), 1U);
    EXPECT_EQ(LinearBins(7, 9, 20).count(), 3U);
    expect_sound(LinearBins(7, 7, 20));
    expect_sound(LinearBins(7, 9, 20));
}

TEST(LinearBinsTest, IsSoundWhereBinsDoNotDivideTheRange) {
    for (const u32 count : {1U, 2U, 3U, 7U, 30U, 999U}) {
        expect_sound(LinearBins(3, 1000, count));
        expect_sound(LinearBins(0, std::numeric_limits<u64>::max(), count));
    }
}

}  // namespace
}  // namespace tracefold
