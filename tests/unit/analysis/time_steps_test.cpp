// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// When the iterations of a loop are the time steps of the program, and when they are not.
#include "analysis/findings.hpp"
#include "support/written_program.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

constexpr u64 kRowRanks = 6;
constexpr u64 kRowTag = 7;
constexpr u64 kRowBytes = 64;
constexpr TimeSteps kIterations{10, 10, false};  ///< and no time steps

Findings findings_of(u64 ranks, const WrittenProgram::Rank& body) {
    WrittenProgram program(ranks, body, TimingLevel::none);
    ListingSource source(*program);
    return find_out(*program, source, nullptr);
}

/// To the next rank in a row, and from the one before.
void shift_up(EventRecorder& recorder, u64 rank) {
    if (rank + 1 < kRowRanks) recorder.send(rank + 1, kRowTag, kRowBytes);
    if (rank > 0) recorder.receive(rank - 1, kRowTag, kRowBytes);
}

void shift_down(EventRecorder& recorder, u64 rank) {
    if (rank > 0) recorder.send(rank - 1, kRowTag, kRowBytes);
    if (rank + 1 < kRowRanks) recorder.receive(rank + 1, kRowTag, kRowBytes);
}

void reduce_row(EventRecorder& recorder) {
    recorder.collective("MPI_Allreduce", EventRecorder::kAllreduce, 8 * kRowRanks, 8 * kRowRanks);
}

void expect_row(const Findings& findings) {
    ASSERT_TRUE(findings.neighbourhood.stencil);
    EXPECT_EQ(findings.neighbourhood.stencil->grid, (std::vector<u32>{kRowRanks}));
    EXPECT_EQ(findings.neighbourhood.stencil->offsets.size(), 2U);
    EXPECT_EQ(findings.neighbourhood.stencil->periodic, (std::vector<bool>{false}));
    EXPECT_EQ(findings.neighbourhood.partners, (Extremes{1, 2}));
    EXPECT_EQ(findings.neighbourhood.pairs, 2 * (kRowRanks - 1));
    EXPECT_EQ(findings.neighbourhood.senders, kRowRanks);
    EXPECT_EQ(findings.neighbourhood.bytes_by_moves, (std::vector<u64>{kRowBytes}));
}

TEST(TimeStepsTest, AStepReachesAllNeighbours) {
    const Findings findings = findings_of(kRowRanks, [](EventRecorder& recorder, u64 rank) {
        for (int step = 0; step < 10; ++step) {
            shift_up(recorder, rank);
            shift_down(recorder, rank);
            reduce_row(recorder);
        }
    });
    expect_row(findings);
    EXPECT_EQ(findings.steps, (TimeSteps{10, 10, true}));
    ASSERT_FALSE(findings.collectives.empty());
    EXPECT_EQ(findings.collectives[0].name, "MPI_Allreduce");
    EXPECT_EQ(findings.collectives[0].calls, (Extremes{10, 10}));
    EXPECT_EQ(findings.collectives[0].ranks, kRowRanks);
    EXPECT_TRUE(findings.collectives[0].in_loop);
}

/// Two exchanges in every step are as good as one.
TEST(TimeStepsTest, AStepMayReachThemMoreThanOnce) {
    const Findings findings = findings_of(kRowRanks, [](EventRecorder& recorder, u64 rank) {
        for (int step = 0; step < 10; ++step) {
            shift_up(recorder, rank);
            shift_down(recorder, rank);
            reduce_row(recorder);
            shift_down(recorder, rank);
            shift_up(recorder, rank);
            recorder.collective("MPI_Barrier", EventRecorder::kBarrier);
        }
    });
    expect_row(findings);
    EXPECT_EQ(findings.steps, (TimeSteps{10, 10, true}));
}

/// Each neighbour gets three or four messages in ten iterations, or one in thirty or forty.
TEST(TimeStepsTest, ALoopWithinMayNotBeTheStepsAsWell) {
    const Findings findings = findings_of(kRowRanks, [](EventRecorder& recorder, u64 rank) {
        for (int step = 0; step < 10; ++step) {
            for (u64 part = 0; part < 3 + rank % 2; ++part) {
                shift_up(recorder, rank);
                recorder.collective("MPI_Barrier", EventRecorder::kBarrier);
                shift_down(recorder, rank);
                recorder.collective("MPI_Barrier", EventRecorder::kBarrier);
            }
            reduce_row(recorder);
        }
    });
    expect_row(findings);
    EXPECT_FALSE(findings.steps);
}

/// A sweep goes one way; that it comes back once makes a stencil of it, and no time steps.
TEST(TimeStepsTest, ALoopThatSendsOneMessageAtATimeIsNoStep) {
    const Findings findings = findings_of(kRowRanks, [](EventRecorder& recorder, u64 rank) {
        for (int step = 0; step < 10; ++step) {
            shift_up(recorder, rank);
            reduce_row(recorder);
        }
        shift_down(recorder, rank);
    });
    expect_row(findings);
    ASSERT_FALSE(findings.loops.empty());
    EXPECT_EQ(findings.loops[0].steps, 10U);
    EXPECT_EQ(findings.steps, kIterations);
}

/// Many messages to one neighbour do not make up for those that another one does not get.
TEST(TimeStepsTest, OneMessageLessIsEnough) {
    const auto program = [](u64 rounds_down) {
        return [rounds_down](EventRecorder& recorder, u64 rank) {
            for (int step = 0; step < 10; ++step) {
                shift_up(recorder, rank);
                shift_up(recorder, rank);
                reduce_row(recorder);
            }
            for (u64 round = 0; round < rounds_down; ++round) shift_down(recorder, rank);
        };
    };
    EXPECT_EQ(findings_of(kRowRanks, program(9)).steps, kIterations);
    EXPECT_EQ(findings_of(kRowRanks, program(10)).steps, (TimeSteps{10, 10, true}));
}

/// Without a stencil nobody can say whom a step ought to reach.
TEST(TimeStepsTest, WithoutAStencilTheyAreNotAskedForAll) {
    const Findings findings = findings_of(kRowRanks, [](EventRecorder& recorder, u64 rank) {
        for (int step = 0; step < 10; ++step) {
            if (rank == 0) recorder.send(3, kRowTag, kRowBytes);
            if (rank == 3) recorder.send(0, kRowTag, kRowBytes);
            if (rank == 0) recorder.receive(3, kRowTag, kRowBytes);
            if (rank == 3) recorder.receive(0, kRowTag, kRowBytes);
            if (rank == 1) recorder.send(0, kRowTag, kRowBytes);
            if (rank == 0) recorder.receive(1, kRowTag, kRowBytes);
            reduce_row(recorder);
        }
        if (rank == 0) recorder.send(5, kRowTag, kRowBytes);
        if (rank == 5) recorder.receive(0, kRowTag, kRowBytes);
    });
    EXPECT_FALSE(findings.neighbourhood.stencil);
    EXPECT_EQ(findings.neighbourhood.pairs, 4U);
    EXPECT_EQ(findings.neighbourhood.partners, (Extremes{1, 2}));
}

TEST(TimeStepsTest, ALoopWithoutMessagesHasNone) {
    const Findings findings = findings_of(kRowRanks, [](EventRecorder& recorder, u64) {
        for (int step = 0; step < 10; ++step) {
            reduce_row(recorder);
            recorder.collective("MPI_Barrier", EventRecorder::kBarrier);
        }
    });
    ASSERT_EQ(findings.loops.size(), 1U);
    EXPECT_EQ(findings.loops[0].iterations, (std::vector<Extremes>{{10, 10}}));
    EXPECT_FALSE(findings.loops[0].steps);
    EXPECT_EQ(findings.steps, kIterations);
    EXPECT_EQ(findings.neighbourhood.pairs, 0U);
    EXPECT_FALSE(findings.neighbourhood.stencil);
}

/// The loop stands twice in the script, and both are its share.
TEST(TimeStepsTest, ALoopBeforeAndAfterABarrierIsOneMainLoop) {
    const Findings findings = findings_of(kRowRanks, [](EventRecorder& recorder, u64) {
        for (int step = 0; step < 100; ++step) {
            if (step == 20) recorder.collective("MPI_Scan", EventRecorder::kBarrier);
            reduce_row(recorder);
            recorder.collective("MPI_Bcast", EventRecorder::kBcast, 8, 8, 0, 0);
        }
    });
    ASSERT_EQ(findings.loops.size(), 1U);
    EXPECT_EQ(findings.loops[0].iterations, (std::vector<Extremes>{{100, 100}}));
    EXPECT_GT(findings.loops[0].share, 0.9);
    EXPECT_LE(findings.loops[0].share, 1.0);
}

TEST(TimeStepsTest, AProgramWithoutLoopsHasNone) {
    const Findings findings = findings_of(kRowRanks, [](EventRecorder& recorder, u64 rank) {
        shift_up(recorder, rank);
        reduce_row(recorder);
    });
    ASSERT_TRUE(findings.neighbourhood.stencil);
    EXPECT_EQ(findings.neighbourhood.stencil->offsets.size(), 1U);
    EXPECT_TRUE(findings.loops.empty());
    EXPECT_FALSE(findings.steps);
}

/// Half of the ranks exchange twice as often as the others.
TEST(TimeStepsTest, RanksThatDisagreeHaveNone) {
    const Findings findings = findings_of(kRowRanks, [](EventRecorder& recorder, u64 rank) {
        const u64 partner = rank ^ 1U;
        for (u64 step = 0; step < (rank < 4 ? 10U : 20U); ++step) {
            recorder.send(partner, kRowTag, kRowBytes);
            recorder.receive(partner, kRowTag, kRowBytes);
        }
    });
    EXPECT_FALSE(findings.steps);
}

}  // namespace
}  // namespace tracefold
