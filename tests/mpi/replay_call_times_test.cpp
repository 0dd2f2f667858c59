// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "replay/record/time_map.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(CallTimesTest, ComeBackFromTheirBytes) {
    MeasuredCallTimes times;
    times.prepare(3);
    times.add(10, 20);
    times.add(20, 20);
    times.add(5'000'000'000'000, 5'000'000'000'001);
    times.set_end(6'000'000'000'000);
    const MeasuredCallTimes back = MeasuredCallTimes::decoded(times.encoded());
    ASSERT_EQ(back.calls().size(), 3U);
    EXPECT_EQ(back.calls()[1].begin, 20U);
    EXPECT_EQ(back.calls()[2].end, 5'000'000'000'001U);
    EXPECT_EQ(back.end(), 6'000'000'000'000U);
}

TEST(CallTimesTest, ArePreparedAnew) {
    MeasuredCallTimes times;
    times.add(1, 2);
    times.prepare(1);
    EXPECT_TRUE(times.calls().empty());
}

TEST(CallTimesTest, NoticeDamage) {
    MeasuredCallTimes times;
    times.add(1, 2);
    const std::string bytes = times.encoded();
    EXPECT_THROW(MeasuredCallTimes::decoded(bytes.substr(0, bytes.size() - 1)), Error);
    EXPECT_THROW(MeasuredCallTimes::decoded("\x01\x7F"), Error);
}

}  // namespace
}  // namespace tracefold
