// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/explanation.hpp"

#include "support/sample_file.hpp"
#include "support/written_program.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

constexpr u64 kLongWork = 100'000;
constexpr int kSteps = 40;

/// Ranks that reduce a number after the work that WORK(rank, step) gives.
template <class Work>
WrittenProgram reducing_program(const Work& work) {
    return WrittenProgram(4, [work](EventRecorder& recorder, u64 rank) {
        for (int step = 0; step < kSteps; ++step) {
            u64 longest = 0;
            for (u64 other = 0; other < 4; ++other) longest = std::max(longest, work(other, step));
            recorder.compute(work(rank, step));
            recorder.collective("MPI_Allreduce", EventRecorder::kAllreduce, 8, 8,
                                longest - work(rank, step));
        }
    });
}

/// The only cause, with its gain in ticks.
void expect_cause(TraceFile& file, CauseKind kind, double won) {
    const Explanation found = explain(file, 1);
    EXPECT_EQ(found.why_not, "");
    ASSERT_EQ(found.causes.size(), 1U)
        << (found.causes.empty() ? "none" : cause_name(found.causes[0].kind));
    EXPECT_EQ(cause_name(found.causes[0].kind), cause_name(kind));
    EXPECT_NEAR(found.causes[0].won * 1e9, won, 0.01 * won);
    EXPECT_EQ(found.together, found.causes[0].won);
    EXPECT_TRUE(found.smaller.empty());
}

TEST(ExplanationTest, BalancedProgramHasNoCause) {
    auto program = reducing_program([](u64, int) { return kLongWork; });
    const Explanation found = explain(*program, 1);
    EXPECT_TRUE(found.causes.empty());
    EXPECT_EQ(found.ranks, 4U);
    EXPECT_EQ(found.steps, static_cast<u64>(kSteps));
    const double sum = found.computation + found.imbalance + found.dependences + found.transfer;
    EXPECT_NEAR(sum, found.runtime, 1e-9);
}

TEST(ExplanationTest, SlowRankComputesLikeTheOthers) {
    auto program =
        reducing_program([](u64 rank, int) { return rank == 1 ? 2 * kLongWork : kLongWork; });
    expect_cause(*program, CauseKind::straggler, 1.0 * kSteps * kLongWork);
}

TEST(ExplanationTest, SlowRanksComputeLikeTheOthers) {
    auto program =
        reducing_program([](u64 rank, int) { return rank >= 2 ? 2 * kLongWork : kLongWork; });
    expect_cause(*program, CauseKind::slow_group, 1.0 * kSteps * kLongWork);
}

TEST(ExplanationTest, GradedWorkIsSharedEqually) {
    auto program = reducing_program([](u64 rank, int) { return kLongWork + rank * kLongWork / 3; });
    expect_cause(*program, CauseKind::imbalance, 0.5 * kSteps * kLongWork);
}

TEST(ExplanationTest, SlowestRankOfEachStepTakesTheMean) {
    auto program = reducing_program([](u64 rank, int step) {
        return step % 4 == static_cast<int>(rank) ? 5 * kLongWork : kLongWork;
    });
    // The first and the last step stay as they are.
    expect_cause(*program, CauseKind::moving_imbalance, 3.0 * (kSteps - 2) * kLongWork);
}

TEST(ExplanationTest, RareStepsTakeTheUsualTime) {
    auto program = reducing_program(
        [](u64 rank, int step) { return rank == 1 && step % 10 == 5 ? 9 * kLongWork : kLongWork; });
    expect_cause(*program, CauseKind::rare_steps, 4 * 8.0 * kLongWork);
}

TEST(ExplanationTest, WorkStaysAsInTheFirstStep) {
    auto program = reducing_program(
        [](u64, int step) { return kLongWork + static_cast<u64>(step) * kLongWork / 10; });
    expect_cause(*program, CauseKind::growing_work, kSteps * (kSteps - 1) / 2 * kLongWork / 10.0);
}

TEST(ExplanationTest, RankThatFallsBehindStaysAsInTheFirstStep) {
    auto program = reducing_program([](u64 rank, int step) {
        return kLongWork + (rank == 1 ? static_cast<u64>(step) * kLongWork / 10 : 0);
    });
    expect_cause(*program, CauseKind::drift, kSteps * (kSteps - 1) / 2 * kLongWork / 10.0);
}

/// Ranks 0 and 2 exchange messages, and so do 1 and 3; each pair is on two nodes, though one would
/// do.
TEST(ExplanationTest, PartnersCanBePlacedOnOneNode) {
    constexpr u64 kTransfer = 50'000;
    const auto program_on = [](u64 nodes) {
        const auto body = [](EventRecorder& recorder, u64 rank) {
            for (int step = 0; step < kSteps; ++step) {
                recorder.compute(kLongWork);
                if (rank < 2) {
                    recorder.send(rank + 2, 1, 100'000, kTransfer);
                } else {
                    recorder.receive(rank - 2, 1, 100'000, kTransfer);
                }
                recorder.collective("MPI_Allreduce", EventRecorder::kAllreduce, 8, 8, 0);
            }
        };
        return WrittenProgram(4, body, TimingLevel::exact, nodes);
    };
    auto apart = program_on(2);
    const Explanation found = explain(*apart, 1);
    ASSERT_FALSE(found.causes.empty());
    const ExplainedCause& cause = found.causes.front();
    EXPECT_EQ(cause_name(cause.kind), cause_name(CauseKind::placement));
    EXPECT_TRUE(cause.is_limit);
    EXPECT_EQ(cause.figure("bytes"), 2.0 * kSteps * 100'000);
    EXPECT_EQ(cause.figure("advised_bytes"), 0);
    auto together = program_on(1);
    for (const ExplainedCause& other : explain(*together, 1).causes) {
        EXPECT_NE(cause_name(other.kind), cause_name(CauseKind::placement));
    }
}

/// Both take turns; at the same time, the accelerator would take longest.
TEST(ExplanationTest, HostAndAcceleratorCanWorkAtOnce) {
    SampleFile file("made-cuda-2", TimingLevel::exact);
    const Explanation found = explain(*file, 1);
    ASSERT_EQ(found.causes.size(), 1U);
    const ExplainedCause& cause = found.causes.front();
    EXPECT_EQ(cause_name(cause.kind), cause_name(CauseKind::accelerators));
    const double longest = cause.figure("kernels") + cause.figure("copies");
    EXPECT_GT(longest, cause.figure("host"));
    EXPECT_NEAR(cause.won, found.computation - longest, 0.01 * cause.won);
}

TEST(ExplanationTest, SingleProcessIsRefusedAsByEfficiency) {
    WrittenProgram program(1, [](EventRecorder& recorder, u64) { recorder.compute(kLongWork); });
    const Explanation found = explain(*program, 1);
    EXPECT_TRUE(found.causes.empty());
}

}  // namespace
}  // namespace tracefold
