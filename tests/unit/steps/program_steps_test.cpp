// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "steps/program_steps.hpp"

#include "support/sample_file.hpp"
#include "support/step_messages.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

struct Known {
    const char* archive;
    u64 steps;
};

class ProgramStepsTest : public ::testing::TestWithParam<Known> {};

/// The number is that of the command line, and what is sent in a step is received in it.
TEST_P(ProgramStepsTest, MessagesStayInTheirStep) {
    SampleFile file(GetParam().archive);
    const auto steps = find_program_steps(*file);
    ASSERT_TRUE(steps);
    EXPECT_EQ(steps->count, GetParam().steps);
    const StepMessages messages = read_step_messages(*file, *steps);
    EXPECT_EQ(messages.sent, messages.received);
    EXPECT_FALSE(messages.sent.empty());
}

INSTANTIATE_TEST_SUITE_P(Samples, ProgramStepsTest,
                         ::testing::Values(Known{"micro-stencil2d9p-isend-4", 50},
                                           Known{"npb-lu.S-4", 50}),
                         [](const auto& tested) {
                             std::string name = tested.param.archive;
                             std::replace(name.begin(), name.end(), '-', '_');
                             std::replace(name.begin(), name.end(), '.', '_');
                             return name;
                         });

TEST(ProgramStepsTest, ThereAreNoneInBenchmarksOfManyPhases) {
    for (const char* name : {"micro-rma-4"}) {
        SampleFile file(name);
        EXPECT_FALSE(find_program_steps(*file)) << name;
    }
}

}  // namespace
}  // namespace tracefold
