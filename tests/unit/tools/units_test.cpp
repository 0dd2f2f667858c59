// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "common/text.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(UnitsTest, SizesAreInPowersOfThousand) {
    EXPECT_EQ(format_size(0), "0 B");
    EXPECT_EQ(format_size(337), "337 B");
    EXPECT_EQ(format_size(1000), "1.0 kB");
    EXPECT_EQ(format_size(1'900'000'000), "1.9 GB");
    EXPECT_EQ(format_size(171'000'000), "171 MB");
    EXPECT_EQ(format_size(~u64{0} - 1), "18.4 EB");
    EXPECT_EQ(format_size(~u64{0}), kOverflowText);
    EXPECT_EQ(format_bytes(9.07e20), "907 EB");
    EXPECT_EQ(format_bytes(std::nan("")), kOverflowText);
}

TEST(UnitsTest, RoundingNeverShowsAThousand) {
    EXPECT_EQ(format_size(99'949), "99.9 kB");
    EXPECT_EQ(format_size(99'950), "100 kB");
    EXPECT_EQ(format_size(999'499), "999 kB");
    EXPECT_EQ(format_size(999'999), "1.0 MB");
}

TEST(UnitsTest, CountsHaveNoUnit) {
    EXPECT_EQ(format_count(999), "999");
    EXPECT_EQ(format_count(12'400'000), "12.4 M");
}

TEST(UnitsTest, TimesTakeTheFittingUnit) {
    EXPECT_EQ(format_time(0), "0 s");
    EXPECT_EQ(format_time(26e-9), "26.0 ns");
    EXPECT_EQ(format_time(1.2e-6), "1.2 us");
    EXPECT_EQ(format_time(0.25), "250 ms");
    EXPECT_EQ(format_time(8.2), "8.2 s");
    EXPECT_EQ(format_time(5400), "5400 s");
    EXPECT_EQ(format_time(-0.02), "-20.0 ms");
    EXPECT_EQ(format_time(0.9996), "1.0 s");
}

TEST(UnitsTest, SharesArePercent) {
    EXPECT_EQ(format_percent(0), "0.0 %");
    EXPECT_EQ(format_percent(0.1234), "12.3 %");
    EXPECT_EQ(format_percent(1), "100.0 %");
    EXPECT_EQ(format_percent(0.967, 0), "97 %");
    EXPECT_EQ(format_percent(1.5, 0), "150 %");
}

TEST(UnitsTest, ReadsTimes) {
    EXPECT_DOUBLE_EQ(parse_seconds("1.5s"), 1.5);
    EXPECT_DOUBLE_EQ(parse_seconds("20ms"), 0.02);
    EXPECT_DOUBLE_EQ(parse_seconds("3 us"), 3e-6);
    EXPECT_DOUBLE_EQ(parse_seconds("7ns"), 7e-9);
    EXPECT_DOUBLE_EQ(parse_seconds("0s"), 0);
}

TEST(UnitsTest, RefusesWhatIsNoTime) {
    for (const char* text : {"", "s", "1.5", "1.5m", "1 . 5s", "-1s", "infs", "nans", "1ss"})
        EXPECT_THROW(parse_seconds(text), Error) << text;
}

}  // namespace
}  // namespace tracefold
