// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/part_options.hpp"

#include "base/error.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(TimeWindowTest, TakesSecondsAndUnits) {
    const TimeWindow window = TimeWindow::parse("20ms:1.5");
    EXPECT_FALSE(window.has_shares());
    EXPECT_DOUBLE_EQ(window.from, 0.02);
    EXPECT_DOUBLE_EQ(window.to, 1.5);
}

TEST(TimeWindowTest, TakesPartsOfTheRun) {
    const TimeWindow window = TimeWindow::parse("25%:50%").of_run(8);
    EXPECT_FALSE(window.has_shares());
    EXPECT_DOUBLE_EQ(window.from, 2);
    EXPECT_DOUBLE_EQ(window.to, 4);
    EXPECT_DOUBLE_EQ(TimeWindow::parse("12.5%:").of_run(8).from, 1);
    EXPECT_DOUBLE_EQ(TimeWindow::parse(":75%").of_run(8).to, 6);
    EXPECT_DOUBLE_EQ(TimeWindow::parse("1s:50%").of_run(8).from, 1);
}

TEST(TimeWindowTest, TheWholeRunHasItsLastEvent) {
    const TimeWindow window = TimeWindow::parse("0%:100%").of_run(8);
    EXPECT_TRUE(std::isinf(window.from));
    EXPECT_TRUE(std::isinf(window.to));
}

TEST(TimeWindowTest, RefusesWhatIsNoPart) {
    for (const char* text :
         {"50%:25%", "50%:50%", "10%:101%", "-1%:5%", "%:5%", "x%:5%", "5 %:6%", "nan%:5%"}) {
        EXPECT_THROW(TimeWindow::parse(text), Error) << text;
    }
    EXPECT_THROW((void)TimeWindow::parse("6s:50%").of_run(8), Error);
    EXPECT_THROW((void)TimeWindow::parse("25%:50%").of_run(0), Error);
}

}  // namespace
}  // namespace tracefold
