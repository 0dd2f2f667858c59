// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "transform/clocks/clock_walk.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

constexpr u64 kSlope = ClockCorrection::kSlope;

TEST(ClockCorrectionTest, WithoutJumpsTimesStay) {
    ClockCorrection clock;
    clock.spread();
    clock.limit(10, 10);
    EXPECT_EQ(clock.corrected(0), 0U);
    EXPECT_EQ(clock.corrected(123), 123U);
    EXPECT_TRUE(clock.empty());
}

TEST(ClockCorrectionTest, AJumpFadesByATickInAHundred) {
    ClockCorrection clock;
    EXPECT_TRUE(clock.jump(10'000, 10'005));
    EXPECT_FALSE(clock.jump(10'000, 10'004));
    EXPECT_EQ(clock.after_jumps(9'999), 9'999U);
    EXPECT_EQ(clock.after_jumps(10'000), 10'005U);
    EXPECT_EQ(clock.after_jumps(10'099), 10'104U);
    EXPECT_EQ(clock.after_jumps(10'100), 10'104U);
    EXPECT_EQ(clock.after_jumps(10'400), 10'401U);
    EXPECT_EQ(clock.after_jumps(10'500), 10'500U);
    // Of two that come close, the second only counts for what is missing.
    EXPECT_FALSE(clock.jump(10'100, 10'104));
    EXPECT_TRUE(clock.jump(10'100, 10'106));
    EXPECT_EQ(clock.corner_count(), 2U);
    EXPECT_EQ(clock.after_jumps(10'100), 10'106U);
    // Earlier and higher than both.
    EXPECT_TRUE(clock.jump(9'000, 9'100));
    EXPECT_EQ(clock.corner_count(), 1U);
}

TEST(ClockCorrectionTest, BeforeAJumpTheClockRisesAsSlowly) {
    ClockCorrection clock;
    clock.jump(10'000, 10'010);
    clock.spread();
    EXPECT_EQ(clock.corrected(8'000), 8'000U);
    EXPECT_EQ(clock.corrected(9'500), 9'504U);  // 5 less the rounding
    EXPECT_EQ(clock.corrected(9'999), 10'008U);
    EXPECT_EQ(clock.corrected(10'000), 10'010U);
    EXPECT_EQ(clock.corrected(10'500), 10'505U);
}

TEST(ClockCorrectionTest, ASmallJumpBeforeALargeOneIsPassedOver) {
    ClockCorrection clock;
    clock.jump(9'900, 9'903);
    clock.jump(10'000, 10'010);
    clock.spread();
    EXPECT_EQ(clock.corrected(9'899), 9'907U);
    EXPECT_EQ(clock.corrected(9'900), 9'908U);
    EXPECT_EQ(clock.corrected(10'000), 10'010U);
}

TEST(ClockCorrectionTest, LimitsHoldAndLeaveNoMoreThanTheyMust) {
    ClockCorrection clock;
    clock.jump(10'000, 10'010);
    clock.spread();
    clock.limit(9'800, 9'802);
    clock.limit(9'900, 9'950);  // higher than it rises anyway
    EXPECT_EQ(clock.corrected(9'800), 9'802U);
    // From there on the rest is spread evenly: 8 ticks in 200.
    EXPECT_EQ(clock.corrected(9'900), 9'906U);
    EXPECT_EQ(clock.corrected(10'000), 10'010U);
    clock.limit(9'800, 9'800);
    EXPECT_EQ(clock.corrected(9'800), 9'800U);
    EXPECT_EQ(clock.corrected(9'900), 9'905U);
}

/// The earlier limit is above the line from the beginning of the rise to the new one.
TEST(ClockCorrectionTest, ALowerLimitTakesAwayTheOneBefore) {
    ClockCorrection clock;
    clock.jump(10'000, 10'010);
    clock.spread();
    // The rise begins at 9001. Without limits it is 2 at 9300, and 7 at 9800.
    EXPECT_EQ(clock.corrected(9'300), 9'302U);
    clock.limit(9'300, 9'301);
    EXPECT_EQ(clock.corrected(9'300), 9'301U);
    // On the line from nothing to 1 in 799 ticks, 299 ticks make less than 1.
    clock.limit(9'800, 9'801);
    EXPECT_EQ(clock.corrected(9'300), 9'300U);
    EXPECT_EQ(clock.corrected(9'799), 9'799U);
    EXPECT_EQ(clock.corrected(9'800), 9'801U);
    // 9 ticks are left for the last 200.
    EXPECT_EQ(clock.corrected(9'900), 9'905U);
    EXPECT_EQ(clock.corrected(10'000), 10'010U);
}

/// The later limit is above the line from the new one to the jump.
TEST(ClockCorrectionTest, ALowerLimitTakesAwayTheOneAfter) {
    ClockCorrection clock;
    clock.jump(10'000, 10'010);
    clock.spread();
    clock.limit(9'900, 9'907);
    EXPECT_EQ(clock.corrected(9'900), 9'907U);
    clock.limit(9'800, 9'800);
    // From nothing at 9800 to 10 at 10000 it is 5 halfway, less than 7.
    EXPECT_EQ(clock.corrected(9'900), 9'905U);
    EXPECT_EQ(clock.corrected(9'950), 9'957U);
}

/// Whatever comes: times rise, limits hold, nothing is before its jump allows it, and without
/// limits no time between two others changes by more than one part in kSlope and the rounding,
/// but where a jump leaves no time to rise.
TEST(ClockCorrectionTest, AnyJumpsAndLimitsKeepTheOrderOfTimes) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 300; ++round) {
        ClockCorrection clock;
        for (u64 i = 0; i < 1 + random() % 20; ++i) {
            const u64 time = 5'000 + random() % 5'000;
            const u64 least = time + random() % 40;
            clock.jump(time, least);
            EXPECT_GE(clock.after_jumps(time), least);
        }
        clock.spread();
        for (u64 time = 1; time < 12'000; ++time) {
            ASSERT_LE(clock.corrected(time) - clock.corrected(time - 1), 2U + 1);
        }
        std::vector<std::pair<u64, u64>> limits;
        for (u64 i = 0; i < random() % 20; ++i) {
            const u64 time = 5'000 + random() % 5'000;
            limits.emplace_back(time, clock.after_jumps(time) + random() % 10);
            clock.limit(time, limits.back().second);
        }
        for (const auto& [time, most] : limits) ASSERT_LE(clock.corrected(time), most);
        for (u64 time = 1; time < 12'000; ++time) {
            ASSERT_GE(clock.corrected(time), clock.after_jumps(time));
            ASSERT_GE(clock.corrected(time), clock.corrected(time - 1)) << time;
        }
    }
}

TEST(CollectiveOrderTest, MembersNeedWhomTheirOperationNeeds) {
    using Times = std::vector<u64>;
    constexpr u64 kNever = ~u64{0};
    const Times times = {5, 9, 3};
    EXPECT_EQ(latest_needed(CollectiveNeed::everybody, times, kNone), (Times{9, 5, 9}));
    EXPECT_EQ(latest_needed(CollectiveNeed::root, times, 1), (Times{9, 0, 9}));
    EXPECT_EQ(latest_needed(CollectiveNeed::members, times, 1), (Times{0, 5, 0}));
    EXPECT_EQ(latest_needed(CollectiveNeed::lower, times, kNone), (Times{0, 5, 9}));
    EXPECT_EQ(latest_needed(CollectiveNeed::root, times, kNone), (Times{0, 0, 0}));
    EXPECT_EQ(earliest_to_need(CollectiveNeed::everybody, times, kNone), (Times{3, 3, 5}));
    EXPECT_EQ(earliest_to_need(CollectiveNeed::root, times, 1), (Times{kNever, 3, kNever}));
    EXPECT_EQ(earliest_to_need(CollectiveNeed::members, times, 1), (Times{9, kNever, 9}));
    EXPECT_EQ(earliest_to_need(CollectiveNeed::lower, times, kNone), (Times{3, 3, kNever}));
}

}  // namespace
}  // namespace tracefold
