// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/timing/pacer.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

// Nothing is said of how late a call may be, which a machine with other work decides.

constexpr u64 kTicksPerSecond = 1'000'000;  // a tick is a microsecond

PacerOptions exact(double scale = 1.0, bool sleep = false) {
    return {Deltas::exact, scale, sleep, TickRate(kTicksPerSecond)};
}

TEST(PacerTest, LetsAsMuchTimePassAsRecorded) {
    Pacer pacer(exact());
    const u64 start = clock_now();
    pacer.start(start, 1000);
    EXPECT_GE(pacer.before_call(1300), start + 300'000);
    const u64 end = clock_now();
    pacer.after_call(end, 5000);
    EXPECT_GE(pacer.before_call(5200), start + 500'000);
    EXPECT_DOUBLE_EQ(pacer.asked(), 500'000);
}

TEST(PacerTest, TakesWhatIssuingTakesFromTheGap) {
    constexpr u64 kLead = 200'000;
    Pacer pacer(exact());
    pacer.set_lead(kLead);
    const u64 start = clock_now();
    pacer.start(start, 0);
    const u64 begin = pacer.before_call(300);
    EXPECT_GE(begin, start + 300'000);
    EXPECT_LE(begin, clock_now() + kLead);
}

TEST(PacerTest, ScalesAndSleeps) {
    Pacer pacer(exact(0.5, true));
    const u64 start = clock_now();
    pacer.start(start, 0);
    EXPECT_GE(pacer.before_call(2000), start + 1'000'000);
    EXPECT_DOUBLE_EQ(pacer.asked(), 1'000'000);
}

TEST(PacerTest, CountsFromTheEndOfTheCallBefore) {
    Pacer pacer(exact());
    const u64 start = clock_now();
    pacer.start(start, 0);
    // The call took longer than recorded: its end is what counts.
    const u64 end = start + 2'000'000;
    pacer.after_call(end, 10);
    EXPECT_GE(pacer.before_call(110), end + 100'000);
}

TEST(PacerTest, TakesLatenessFromTheGapsThatFollow) {
    Pacer pacer(exact());
    const u64 start = clock_now();
    // The gap of 1 s began 3 s ago, so that the next one of 1 s has passed as well.
    constexpr u64 kSecond = 1'000'000'000;
    pacer.start(start - 3 * kSecond, 0);
    pacer.before_call(kTicksPerSecond);
    EXPECT_GE(pacer.late(), 2.0 * kSecond);
    pacer.after_call(clock_now(), kTicksPerSecond);
    pacer.before_call(2 * kTicksPerSecond);
    EXPECT_GE(pacer.late(), 1.0 * kSecond);
    pacer.after_call(clock_now(), 2 * kTicksPerSecond);
    // Begun anew, nothing is late.
    pacer.start(clock_now(), 0);
    EXPECT_DOUBLE_EQ(pacer.late(), 0);
}

TEST(PacerTest, AsksForNothingWithoutDeltas) {
    Pacer pacer({Deltas::none, 1.0, false, TickRate(kTicksPerSecond)});
    const u64 start = clock_now();
    pacer.start(start, 0);
    EXPECT_GE(pacer.before_call(3600 * kTicksPerSecond), start);
    EXPECT_DOUBLE_EQ(pacer.asked(), 0);
    pacer.forget_asked();
    EXPECT_DOUBLE_EQ(pacer.asked(), 0);
}

/// Both go forward at about the same rate; the system's clock may be disciplined meanwhile.
TEST(ClockTest, FollowsTheSystem) {
    const u64 system = CycleClock::of_system();
    const u64 own = clock_now();
    while (CycleClock::of_system() < system + 20'000'000) {
    }
    const u64 passed_system = CycleClock::of_system() - system;
    const u64 passed = clock_now() - own;
    EXPECT_GE(passed, 19'900'000U);
    EXPECT_LE(static_cast<double>(passed_system), 1.01 * static_cast<double>(passed) + 1e6);
}

}  // namespace
}  // namespace tracefold
