// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/steps/repeated_steps.hpp"

#include <random>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

constexpr u64 kAllreduce = 100;
constexpr u64 kBarrier = 101;

/// Builds what a rank does.
class Program {
  public:
    Program& send(u64 partner, u64 bytes = 8, u64 tag = 0) {
        Deed deed;
        deed.sends = true;
        deed.may_begin = true;
        deed.partner = partner;
        deed.tagged = partner * 1000 + tag;
        deed.message = deed.tagged * 1000000 + bytes;
        deed.bytes = bytes;
        deeds_.push_back(deed);
        return *this;
    }
    Program& call(u64 collective, u64 bytes = 0) {
        Deed deed;
        deed.partner = deed.tagged = collective;
        deed.message = collective * 1000000 + bytes;
        deed.bytes = bytes;
        deed.is_barrier = collective == kBarrier;
        deed.may_begin = true;
        deeds_.push_back(deed);
        return *this;
    }
    [[nodiscard]] std::size_t steps() const {
        const auto found = find_repeated_steps(deeds_);
        return found ? found->begins.size() : 0;
    }
    [[nodiscard]] const std::vector<Deed>& deeds() const { return deeds_; }

  private:
    std::vector<Deed> deeds_;
};

/// As LULESH: the first step lacks the reduction, a set-up exchange comes before.
TEST(RepeatedStepsTest, CollectivesDoNotMakeSteps) {
    Program program;
    program.send(1, 500).send(2, 500).call(kBarrier);
    for (int step = 0; step < 10; ++step) {
        if (step > 0) program.call(kAllreduce);
        program.send(1).send(2).send(1, 16).send(2, 16);
    }
    EXPECT_EQ(program.steps(), 10U);
    EXPECT_EQ(find_repeated_steps(program.deeds())->begins.front(), 3U);
}

/// As a stencil that looks at its error now and then.
TEST(RepeatedStepsTest, ChecksNowAndThenDoNotMakeSteps) {
    Program program;
    for (int step = 0; step < 40; ++step) {
        program.send(1).send(2);
        if (step % 10 == 9) program.call(kAllreduce);
    }
    EXPECT_EQ(program.steps(), 40U);
    EXPECT_EQ(find_repeated_steps(program.deeds())->end, program.deeds().size());
}

TEST(RepeatedStepsTest, GroupsOfEverOtherLengthsAreSteps) {
    Program program;
    for (int step = 1; step <= 12; ++step) {
        for (int i = 0; i < step; ++i) program.send(1);
        program.call(kAllreduce);
    }
    EXPECT_EQ(program.steps(), 12U);
}

/// A solver that fails in two steps, and one whose iterations vary from 2 to 4.
TEST(RepeatedStepsTest, SomeGroupsOfOtherLengthsAreEnough) {
    for (const bool fails : {false, true}) {
        Program program;
        for (int step = 0; step < 40; ++step) {
            const int iterations = !fails ? 2 + step * step % 3 : step % 20 == 13 ? 20 : 4;
            for (int i = 0; i < iterations; ++i) program.send(1).send(2);
            program.call(kAllreduce);
        }
        EXPECT_EQ(program.steps(), 40U);
    }
}

/// As a time step with a solver in it, whose iterations differ in number.
TEST(RepeatedStepsTest, LoopsWithinMayDifferInLength) {
    Program program;
    for (const int iterations : {30, 12, 25, 18, 9}) {
        program.send(1, 800).send(2, 800).send(3, 800);
        for (int i = 0; i < iterations; ++i) program.send(1).send(2).call(kAllreduce);
    }
    EXPECT_EQ(program.steps(), 5U);
}

/// As NPB's: one step for the caches, then a barrier.
TEST(RepeatedStepsTest, AStepBeforeABarrierDoesNotCount) {
    Program program;
    for (int step = 0; step < 7; ++step) {
        program.send(1).send(2, 16);
        if (step == 0) program.call(kBarrier);
    }
    EXPECT_EQ(program.steps(), 6U);
}

TEST(RepeatedStepsTest, MessagesMayChangeInSizeFromStepToStep) {
    Program program;
    for (u64 step = 0; step < 20; ++step) program.send(1, step * 37 % 101).send(2, step * 53 % 97);
    EXPECT_EQ(program.steps(), 20U);
}

TEST(RepeatedStepsTest, BenchmarksOfMessageSizesHaveNone) {
    Program program;
    for (u64 bytes = 1; bytes < 4096; bytes *= 2) {
        for (int i = 0; i < 50; ++i) program.send(1, bytes);
    }
    EXPECT_EQ(program.steps(), 0U);
}

/// As an adaptive mesh: refinements, each elsewhere, have messages of their own for some steps.
TEST(RepeatedStepsTest, WhatComesAndGoesDoesNotMakeSteps) {
    Program program;
    for (u64 step = 0; step < 40; ++step) {
        program.send(1).send(2);
        const u64 refinement = step / 10;
        if (step % 10 < 5) program.send(10 + refinement, 4).send(20 + refinement, 4);
        if (step % 10 < 5) program.send(10 + refinement, 4).send(20 + refinement, 4);
        if (step % 10 == 5) program.call(kAllreduce);
    }
    EXPECT_EQ(program.steps(), 40U);
}

/// As SNAP: a step has iterations over the groups, each with sweeps until it converges.
TEST(RepeatedStepsTest, StepsAreAroundASolverThatConverges) {
    Program program;
    for (const std::vector<int>& sweeps :
         {std::vector{4, 4, 3, 1}, {4, 4, 2, 1}, {4, 3, 2, 1}, {5, 3, 2, 1}, {4, 3, 2, 1}}) {
        for (const int number : sweeps) {
            for (int i = 0; i < number; ++i) program.send(1).send(2).call(kAllreduce);
            program.call(kAllreduce);
        }
    }
    EXPECT_EQ(program.steps(), 5U);
}

/// An iteration ends in a reduction, and so does the step.
TEST(RepeatedStepsTest, ASolverMayConvergeInOneIteration) {
    Program program;
    for (const int iterations : {3, 5, 1, 9, 2, 7, 1, 4}) {
        for (int i = 0; i < iterations; ++i) program.send(1).send(2).call(kAllreduce);
        program.call(kAllreduce);
    }
    EXPECT_EQ(program.steps(), 8U);
}

/// As a multigrid solver whose levels have the same partners, in an order that never repeats
/// itself.
TEST(RepeatedStepsTest, LevelsOfAGridAreNoSteps) {
    std::mt19937 random(7);
    Program program;
    for (int i = 0; i < 100; ++i) program.send(1, random() % 2 == 0 ? 8 : 64);
    EXPECT_EQ(program.steps(), 0U);
}

/// As a master that hands out work before rounds of all with all: the first round is no longer.
TEST(RepeatedStepsTest, WhatIsSentBeforeTheFirstStepIsNoPartOfIt) {
    std::mt19937 random(3);
    Program program;
    for (int i = 0; i < 60; ++i) program.send(random() % 7, random() % 57, random() % 3);
    for (u64 round = 0; round < 10; ++round) {
        program.send(1, 4 + round, round).send(2, 4 + round, round).call(kBarrier);
    }
    const auto found = find_repeated_steps(program.deeds());
    ASSERT_TRUE(found);
    EXPECT_EQ(found->begins.size(), 10U);
    EXPECT_EQ(found->begins.front(), 60U);
}

TEST(RepeatedStepsTest, AStepHasAsManyMessagesAsAskedFor) {
    Program program;
    for (int step = 0; step < 24; ++step) program.send(1).send(2);
    const auto found = find_repeated_steps(program.deeds(), 5);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->begins.size(), 8U);
}

TEST(IterationsTest, AreWhatComesAgainExactly) {
    Program step;
    step.send(3, 100).send(3, 200);
    for (int i = 0; i < 9; ++i) step.send(1).call(kAllreduce).send(2);
    step.send(4);
    const auto found = find_iterations(step.deeds());
    ASSERT_TRUE(found);
    EXPECT_EQ(found->begins.size(), 9U);
    EXPECT_EQ(found->begins.front(), 2U);
    Program sizes;
    for (u64 i = 0; i < 9; ++i) sizes.send(1, i).send(2, 3 * i);
    EXPECT_FALSE(find_iterations(sizes.deeds()));
}

TEST(RepeatedStepsTest, AFewLongStepsOfCollectivesAreTold) {
    Program few;
    Program many;
    for (int step = 0; step < 3; ++step) {
        for (u64 call = 0; call < 4; ++call) few.call(200 + call);
        for (u64 call = 0; call < 20; ++call) many.call(200 + call);
    }
    EXPECT_EQ(few.steps(), 0U);
    EXPECT_EQ(many.steps(), 3U);
}

/// As a transform along rows and columns with a reduction for the output of every seventh step.
TEST(RepeatedStepsTest, CollectivesNowAndThenDoNotMakeSteps) {
    Program program;
    program.call(kBarrier);
    for (int step = 0; step < 15; ++step) {
        program.call(200).call(201);
        if (step % 7 == 0) program.call(kAllreduce);
    }
    program.call(kBarrier).call(300);
    const auto found = find_repeated_steps(program.deeds());
    ASSERT_TRUE(found);
    EXPECT_EQ(found->begins.size(), 15U);
    EXPECT_EQ(found->begins.front(), 1U);
    // The last step has a reduction, as the first one.
    EXPECT_EQ(found->end, program.deeds().size() - 2);
}

/// As a store of keys: questions and answers are collectives of one kind, with a checkpoint after
/// every tenth step.
TEST(RepeatedStepsTest, CollectivesOfSeveralSizesBetweenCheckpointsAreSteps) {
    Program program;
    for (int step = 1; step <= 40; ++step) {
        program.call(200, 16).call(200, 1024);
        if (step % 10 == 0) program.call(201, 64);
    }
    EXPECT_EQ(program.steps(), 40U);
}

/// As a solver in each time step.
TEST(RepeatedStepsTest, CollectivesOfSeveralSizesBehindAHeadAreNoSteps) {
    Program program;
    for (int step = 0; step < 4; ++step) {
        program.call(201, 64);
        for (int i = 0; i < 25; ++i) program.call(200, 8).call(200, 16);
    }
    EXPECT_EQ(program.steps(), 4U);
}

TEST(RepeatedStepsTest, WhatDoesNotRepeatItselfHasNone) {
    std::mt19937 random(5);
    Program program;
    for (int i = 0; i < 200; ++i) program.send(random() % 7, random() % 57);
    EXPECT_EQ(program.steps(), 0U);
    EXPECT_EQ(Program().steps(), 0U);
    EXPECT_EQ(Program().call(kAllreduce).call(kAllreduce).call(kAllreduce).steps(), 0U);
}

/// As a loop that begins with a reduction: the last step does not end with one.
TEST(RepeatedStepsTest, CollectivesThatBeginALoopBeginItsSteps) {
    Program loop;
    Program with_one_more;
    loop.call(kBarrier);
    for (int step = 0; step < 8; ++step) {
        loop.call(kAllreduce).send(1).send(2);
        with_one_more.call(kAllreduce).send(1).send(2);
    }
    with_one_more.call(kAllreduce);
    const auto found = find_repeated_steps(loop.deeds());
    ASSERT_TRUE(found);
    EXPECT_EQ(found->begins.size(), 8U);
    EXPECT_EQ(found->begins.front(), 1U);
    EXPECT_EQ(found->end, 25U);
    // Either end may have the additional one.
    EXPECT_EQ(find_repeated_steps(with_one_more.deeds())->begins.front(), 1U);
}

std::vector<std::size_t> phases_of(const Program& program) {
    std::vector<std::size_t> numbers;
    for (const RepeatedSteps& steps : find_phases(program.deeds())) {
        numbers.push_back(steps.begins.size());
    }
    return numbers;
}

TEST(RepeatedStepsTest, PartsWithMessagesOfTheirOwnArePhases) {
    Program program;
    for (int step = 0; step < 5; ++step) program.call(102).send(1, 80).send(2, 80);
    for (int step = 0; step < 30; ++step) program.send(1, 400).send(2, 400);
    for (int step = 0; step < 10; ++step) program.send(3, 40).call(kAllreduce);
    EXPECT_EQ(phases_of(program), (std::vector<std::size_t>{5, 30, 10}));
}

TEST(RepeatedStepsTest, IterationsAndSizesAreNoPhases) {
    // Solvers within three long steps, a benchmark of sizes, reductions at the end.
    Program solver;
    for (const int iterations : {33, 45, 28}) {
        for (int i = 0; i < iterations; ++i) solver.send(1).call(kAllreduce);
        solver.send(2).call(kBarrier);
    }
    EXPECT_TRUE(phases_of(solver).empty());
    Program sizes;
    for (const u64 bytes : {8, 16, 32}) {
        for (int i = 0; i < 20; ++i) sizes.send(1, bytes);
    }
    EXPECT_TRUE(phases_of(sizes).empty());
    Program ends;
    for (int step = 0; step < 20; ++step) ends.send(1).send(2);
    for (int i = 0; i < 8; ++i) ends.call(kAllreduce);
    EXPECT_TRUE(phases_of(ends).empty());
}

/// As a halo that is exchanged every four steps; the last exchange is for two.
TEST(RepeatedStepsTest, EqualGroupsOfCollectivesMayBeSteps) {
    Program program;
    for (int step = 0; step < 22; ++step) {
        if (step % 4 == 0) program.send(1).send(2);
        program.call(kAllreduce);
    }
    const auto steps = find_repeated_steps(program.deeds());
    ASSERT_TRUE(steps);
    EXPECT_EQ(steps->begins.size(), 6U);
    EXPECT_EQ(equal_groups(program.deeds(), *steps).size(), 22U);
    Program mixed;
    for (int step = 0; step < 10; ++step) mixed.send(1).call(kAllreduce).call(kBarrier);
    EXPECT_TRUE(equal_groups(mixed.deeds(), *find_repeated_steps(mixed.deeds())).empty());
}

/// Steps begin where a quiescent cut is, if each of them can.
TEST(RepeatedStepsTest, BeginsAreQuiescent) {
    std::vector<Deed> deeds;
    for (int step = 0; step < 6; ++step) {
        for (u64 partner = 1; partner <= 3; ++partner) {
            Deed deed;
            deed.sends = true;
            deed.may_begin = partner == 2;
            deed.partner = deed.tagged = deed.message = partner;
            deeds.push_back(deed);
        }
    }
    const auto found = find_repeated_steps(deeds);
    ASSERT_TRUE(found);
    for (const u32 begin : found->begins) EXPECT_TRUE(deeds[begin].may_begin);
    EXPECT_EQ(found->begins.size(), 5U);
}

}  // namespace
}  // namespace tracefold
