// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/program_steps.hpp"

#include <random>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(LocationStepsTest, CallsOutsideOfStepsAreInNone) {
    LocationSteps steps;
    for (const u64 call : {4, 6, 8, 11}) steps.begin(call);
    steps.end(13);
    steps.begin(20);
    steps.end(21);
    StepCounter counter(&steps);
    std::vector<std::optional<u64>> told;
    for (int call = 0; call < 23; ++call) {
        counter.next();
        told.push_back(counter.step());
    }
    const std::optional<u64> none;
    EXPECT_EQ(told, (std::vector<std::optional<u64>>{none, none, none, none, 0, 0,    1,    1,
                                                     2,    2,    2,    3,    3, none, none, none,
                                                     none, none, none, none, 4, none, none}));
    EXPECT_EQ(steps.count(), 5U);
}

TEST(LocationStepsTest, WithoutStepsNoCallIsInOne) {
    StepCounter counter(nullptr);
    for (int call = 0; call < 3; ++call) {
        counter.next();
        EXPECT_FALSE(counter.step());
    }
}

/// Runs of equal steps, steps without calls, gaps.
TEST(LocationStepsTest, TellsWhatWasSaid) {
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        LocationSteps steps;
        std::vector<LocationSteps::Calls> said;
        u64 call = random() % 3;
        u64 length = random() % 4;
        for (u64 step = 0; step < 40; ++step) {
            if (random() % 5 == 0) length = random() % 4;
            steps.begin(call);
            said.push_back({call, call + length});
            call += length;
            if (step == 39 || random() % 9 == 0) {
                steps.end(call);
                call += random() % 3;
            }
        }
        std::vector<std::optional<u64>> in(call + 1);
        for (u64 step = 0; step < said.size(); ++step) {
            EXPECT_EQ(steps.calls(step).first, said[step].first);
            for (u64 i = said[step].first; i < said[step].end; ++i) in[i] = step;
        }
        StepCounter counter(&steps);
        for (const std::optional<u64>& step : in) {
            counter.next();
            ASSERT_EQ(counter.step(), step);
        }
    }
}

}  // namespace
}  // namespace tracefold
