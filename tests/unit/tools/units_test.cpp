// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "common/text.hpp"

#include <cmath>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// The page's scripts pass the same cases (tests/page/page_test.py).
TEST(UnitsTest, WritesTheNumbersOfTheTable) {
    std::ifstream table(TRACEFOLD_NUMBERS);
    int cases = 0;
    for (std::string line; std::getline(table, line);) {
        if (line.starts_with('#')) continue;
        const std::size_t kind_end = line.find('\t');
        const std::size_t value_end = line.find('\t', kind_end + 1);
        const std::string kind = line.substr(0, kind_end);
        const std::string value = line.substr(kind_end + 1, value_end - kind_end - 1);
        std::string text;
        if (kind == "size") text = format_size(std::stoull(value));
        if (kind == "count") text = format_count(std::stoull(value));
        if (kind == "time") text = format_time(std::stod(value));
        if (kind == "share") text = format_percent(std::stod(value));
        EXPECT_EQ(text, line.substr(value_end + 1)) << kind << ' ' << value;
        ++cases;
    }
    EXPECT_GT(cases, 40);
}

TEST(UnitsTest, OverflowIsNoNumber) {
    EXPECT_EQ(format_size(~u64{0} - 1), "18.4 EB");
    EXPECT_EQ(format_size(~u64{0}), kOverflowText);
    EXPECT_EQ(format_bytes(9.07e20), "907 EB");
    EXPECT_EQ(format_bytes(std::nan("")), kOverflowText);
    EXPECT_EQ(format_percent(0.967, 0), "97 %");
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
