// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/format/item_codec.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// A repeated list of items is expected item by item, in another pattern with other numbers too.
TEST(ItemForecastTest, KnowsWhatFollowedInOtherScripts) {
    ItemForecast forecast;
    forecast.begin(ItemForecast::Kind::script, 3, {10, 20, 30});
    forecast.begin_items();
    for (const u32 item : {0U, 2U, 1U, 0U}) forecast.add(item, 1);
    forecast.begin(ItemForecast::Kind::script, 3, {30, 10, 20});
    forecast.begin_items();
    for (const u32 item : {1U, 0U, 2U, 1U}) {
        const Expectations expected = forecast.token(0);
        EXPECT_TRUE(expected.has(0));
        EXPECT_EQ(expected.number(0) >> 2U, item);
        forecast.add(item, 1);
    }
    EXPECT_EQ(forecast.token(0).number(3), 2U << 2U) << "item 0 was new, then 1";
}

TEST(ItemForecastTest, ExpectsWholeRuns) {
    ItemForecast forecast;
    forecast.begin(ItemForecast::Kind::column, 9);
    for (int round = 0; round < 2; ++round) {
        forecast.begin_items();
        forecast.add(0, 9);
    }
    forecast.begin_items();
    EXPECT_EQ(forecast.token(0).number(0), 1U);
    EXPECT_EQ(forecast.run().number(0), 9U - 2);
    forecast.begin(ItemForecast::Kind::column, u64{1} << 31U);
    forecast.begin_items();
    forecast.add(0, u64{1} << 29U);
    EXPECT_EQ(forecast.token(0).number(3), u64{4} << 29U) << "what is new comes after the run";
}

}  // namespace
}  // namespace tracefold
