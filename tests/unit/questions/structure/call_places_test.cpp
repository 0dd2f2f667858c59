// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/structure/call_places.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using InStep = CallPlaces::InStep;

/// Ten steps of five calls each, from call 10 on.
LocationSteps ten_steps() {
    LocationSteps steps;
    for (u64 step = 0; step < 10; ++step) steps.begin(10 + 5 * step);
    steps.end(60);
    return steps;
}

/// One call in each of these steps.
CallPlaces calls_in(const std::vector<u64>& in) {
    CallPlaces places;
    for (const u64 step : in) places.add(ten_steps(), 10 + 5 * step + 2, 1);
    return places;
}

TEST(CallPlacesTest, CallsAreBeforeInOrAfterTheSteps) {
    CallPlaces places;
    places.add(ten_steps(), 3, 1);
    places.add(ten_steps(), 8, 9);  // two before, five in step 0, two in step 1
    places.add(ten_steps(), 19, 1);
    places.add(ten_steps(), 58, 6);  // two in step 9
    EXPECT_EQ(places.before(), 3U);
    EXPECT_EQ(places.steps(), (std::vector<InStep>{{0, 5}, {1, 3}, {9, 2}}));
    EXPECT_EQ(places.after(), 4U);
    EXPECT_EQ(places.calls(), 17U);
    EXPECT_EQ(places.period(10), 0U);
}

TEST(CallPlacesTest, APeriodCoversAllSteps) {
    EXPECT_EQ(calls_in({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}).period(10), 1U);
    EXPECT_EQ(calls_in({2, 5, 8}).period(10), 3U);
    EXPECT_EQ(calls_in({0, 3, 6, 9}).period(10), 3U);
    EXPECT_EQ(calls_in({3, 6, 9}).period(10), 0U);  // not in step 0
    EXPECT_EQ(calls_in({0, 3, 6}).period(10), 0U);  // not in step 9
    EXPECT_EQ(calls_in({0, 3, 7}).period(10), 0U);  // other gaps
    EXPECT_EQ(calls_in({4, 9}).period(10), 0U);     // one gap
    EXPECT_EQ(calls_in({4}).period(10), 0U);
    EXPECT_EQ(calls_in({0}).period(1), 1U);
    EXPECT_EQ(calls_in({}).period(10), 0U);
}

TEST(CallPlacesTest, EachStepOfAPeriodHasEquallyManyCalls) {
    EXPECT_EQ(calls_in({0, 0, 5, 5}).period(10), 0U);
    EXPECT_EQ(calls_in({1, 1, 4, 4, 7, 7}).period(10), 3U);
    EXPECT_EQ(calls_in({1, 1, 4, 7, 7}).period(10), 0U);
}

}  // namespace
}  // namespace tracefold
