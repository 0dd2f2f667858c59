// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/run_efficiency.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

RunEfficiency run(u32 ranks, double computation, std::optional<double> instructions = {}) {
    RunEfficiency run;
    run.name = std::to_string(ranks);
    run.ranks = ranks;
    run.cores = ranks;
    run.computation = computation;
    run.instructions = instructions;
    run.factors = {{"parallel", 0, 0.5}};
    return run;
}

TEST(RunEfficiencyTest, ScalingFollowsFromTheWorkOfAllRanks) {
    const auto strong = scaling_efficiency({run(8, 12), run(2, 10)}, {});
    EXPECT_EQ(strong.scaling, Scaling::strong);
    EXPECT_EQ(strong.runs.front().ranks, 2U);
    EXPECT_DOUBLE_EQ(*strong.runs[1].computation_scaling, 10.0 / 12);
    EXPECT_DOUBLE_EQ(*strong.runs[1].global, 0.5 * 10 / 12);
    EXPECT_DOUBLE_EQ(*strong.runs[0].global, 0.5);
    EXPECT_FALSE(strong.runs[1].instruction_scaling);
    const auto weak = scaling_efficiency({run(2, 10), run(8, 44)}, {});
    EXPECT_EQ(weak.scaling, Scaling::weak);
    EXPECT_DOUBLE_EQ(*weak.runs[1].computation_scaling, 40.0 / 44);
}

TEST(RunEfficiencyTest, InstructionsTellTheWorkWhereTheyAreKnown) {
    // The computation takes longer on more ranks, but executes the same instructions.
    const auto found = scaling_efficiency({run(2, 10, 100), run(4, 19, 101)}, {});
    EXPECT_TRUE(found.from_instructions);
    EXPECT_EQ(found.scaling, Scaling::strong);
    EXPECT_DOUBLE_EQ(*found.runs[1].instruction_scaling, 100.0 / 101);
}

TEST(RunEfficiencyTest, WorkInBetweenHasNoFactorsUnlessScalingIsGiven) {
    const auto none = scaling_efficiency({run(4, 10), run(16, 20)}, {});
    EXPECT_EQ(none.scaling, Scaling::neither);
    EXPECT_DOUBLE_EQ(none.growth, 0.5);
    EXPECT_FALSE(none.runs[1].computation_scaling);
    EXPECT_FALSE(none.runs[1].global);
    const auto given = scaling_efficiency({run(4, 10), run(16, 20)}, Scaling::weak);
    EXPECT_FALSE(given.is_inferred);
    EXPECT_DOUBLE_EQ(*given.runs[1].computation_scaling, 2);
}

TEST(RunEfficiencyTest, RunsOfTheSameSizeDifferInWork) {
    const auto found = scaling_efficiency({run(4, 10), run(4, 8)}, {});
    EXPECT_DOUBLE_EQ(*found.runs[1].computation_scaling, 10.0 / 8);
}

}  // namespace
}  // namespace tracefold
