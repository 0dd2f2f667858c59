// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/communicator.hpp"
#include "mpi/program_steps.hpp"
#include "questions/profile/profile_table.hpp"
#include "support/made_trace.hpp"
#include "support/test_directory.hpp"
#include "transform/cut_trace.hpp"

#include <functional>
#include <string>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using testing::MadeTrace;

constexpr u32 kRanks = 4;
constexpr u64 kSteps = 10;
constexpr u64 kFirst = 2'000;  ///< begin of the first step
constexpr u64 kStep = 510;
constexpr u64 kOn = 1;
constexpr u64 kOff = 2;

/// Steps of 510 ticks: rank 2 computes for 500, the others for 100, before an MPI_Allreduce. After
/// MPI_Init all ranks set something up for 1900 ticks, without a record.
class StragglerProgram {
  public:
    StragglerProgram() : trace_({.ranks = kRanks}) {
        for (u32 rank = 0; rank < kRanks; ++rank) trace_.timed_call(rank, 0, 100, "MPI_Init");
    }

    /// `around`: called before (false) and after (true) each step of a rank.
    void steps(const std::function<void(u32 rank, u64 begin, bool is_over)>& around = {}) {
        for (u32 rank = 0; rank < kRanks; ++rank) {
            for (u64 step = 0; step < kSteps; ++step) {
                const u64 begin = kFirst + step * kStep;
                if (around) around(rank, begin, false);
                trace_.timed_call(
                    rank, begin + (rank == 2 ? 500 : 100), begin + kStep, "MPI_Allreduce",
                    {{EventType::MpiCollectiveBegin, {}},
                     {EventType::MpiCollectiveEnd,
                      {static_cast<u64>(CollectiveKind::allreduce), 0, 0xFFFFFFFF, 8, 8}}});
                if (around) around(rank, begin + kStep, true);
            }
        }
    }

    MadeTrace& trace() { return trace_; }

    TraceFile& file() {
        if (file_) return *file_;
        for (u32 rank = 0; rank < kRanks; ++rank) {
            trace_.timed_call(rank, 10'000, 10'100, "MPI_Finalize");
        }
        const std::string path = (directory_ / "run.tfold").string();
        trace_.fold(path);
        file_ = std::make_unique<TraceFile>(path);
        return *file_;
    }

    Efficiency of_part(CutRequest request) {
        request.text = "part";
        const std::string path = (directory_ / "part.tfold").string();
        cut_trace(file(), request, {path, 1, true, {}});
        TraceFile part(path);
        return trace_efficiency(part);
    }

    Efficiency of_run() {
        SerialCommunicator alone;
        FoundSteps steps(file());
        return trace_efficiency(alone, file(), WaitSearch::all, 1, &steps);
    }

  private:
    TestDirectory directory_;
    MadeTrace trace_;
    std::unique_ptr<TraceFile> file_;
};

CutRequest steps_from_five() {
    CutRequest request;
    request.iterations = [](u64 step) { return step >= 5 && step < kSteps; };
    return request;
}

double seconds(u64 ticks) { return static_cast<double>(ticks) / 1e9; }

TEST(PartEfficiencyTest, StepsBeginWithTheComputationBeforeTheirFirstCall) {
    StragglerProgram program;
    program.steps();
    const Efficiency part = program.of_part(steps_from_five());
    EXPECT_TRUE(part.is_part);
    EXPECT_EQ(part.runtime, 5 * kStep);
    EXPECT_EQ(part.ranks[2].computation, 5 * 500U);
    EXPECT_EQ(part.ranks[3].computation, 5 * 100U);
    EXPECT_DOUBLE_EQ(*part.load_balance, 800.0 / 4 / 500);
    EXPECT_DOUBLE_EQ(*part.communication, 500.0 / 510);
    EXPECT_DOUBLE_EQ(*part.serialisation, 1);
    EXPECT_EQ(part.unknown_time.ticks, 0U);
}

TEST(PartEfficiencyTest, TheFocusLeavesOutStartUpAndEnd) {
    StragglerProgram program;
    program.steps();
    const Efficiency run = program.of_run();
    EXPECT_GT(*run.load_balance, 0.6);
    ASSERT_NE(run.focus, nullptr);
    EXPECT_EQ(run.focus_steps.first, 1U);
    EXPECT_EQ(run.focus_steps.last, kSteps - 1);
    EXPECT_EQ(run.focus->runtime, 9 * kStep);
    EXPECT_DOUBLE_EQ(*run.focus->load_balance, 800.0 / 4 / 500);
    EXPECT_DOUBLE_EQ(*run.focus->communication, 500.0 / 510);
    EXPECT_DOUBLE_EQ(*run.focus->serialisation, 1);
}

TEST(PartEfficiencyTest, OfAPartWithoutMarksOnlyTheTimeCountsThatAllRanksRecord) {
    StragglerProgram program;
    program.steps();
    CutRequest request = steps_from_five();
    request.drop.set(static_cast<std::size_t>(RecordKind::measurement));
    const Efficiency part = program.of_part(request);
    // From the first call of rank 2 on.
    EXPECT_EQ(part.unknown_time.ticks, 400U);
    EXPECT_TRUE(part.unknown_time.is_left_out);
    EXPECT_EQ(part.runtime, 4 * kStep + 10);
    EXPECT_EQ(part.ranks[2].computation, 4 * 500U);
    EXPECT_EQ(part.ranks[0].computation, 4 * 100U);
    EXPECT_EQ(part.ranks[0].mpi, part.runtime - 400);
}

TEST(PartEfficiencyTest, ARankThatComputesAllTheTimeCounts) {
    StragglerProgram program;
    program.steps();
    CutRequest request;
    request.from = seconds(kFirst + 50);
    request.to = seconds(kFirst + 450);
    const Efficiency part = program.of_part(request);
    ASSERT_EQ(part.ranks.size(), kRanks);
    EXPECT_TRUE(part.gaps.empty());
    EXPECT_EQ(part.runtime, 400U);
    EXPECT_EQ(part.ranks[2].computation, 400U);
    EXPECT_EQ(part.ranks[0].computation, 50U);
}

TEST(PartEfficiencyTest, TimeBetweenPiecesDoesNotCount) {
    StragglerProgram program;
    program.steps();
    CutRequest request;
    request.iterations = [](u64 step) { return step == 3 || step == 7; };
    const Efficiency part = program.of_part(request);
    EXPECT_EQ(part.runtime, 2 * kStep);
    EXPECT_EQ(part.ranks[2].computation, 2 * 500U);
    EXPECT_DOUBLE_EQ(*part.serialisation, 1);
}

TEST(PartEfficiencyTest, RegionsAreMarkedByVisit) {
    StragglerProgram program;
    const u64 region = program.trace().region("solve");
    program.steps([&](u32 rank, u64 time, bool is_over) {
        if (!is_over) program.trace().at(time + 20);
        if (is_over) program.trace().at(time);
        program.trace().record(rank, 0, is_over ? EventType::Leave : EventType::Enter, {region});
    });
    CutRequest request;
    request.regions = [](std::string_view name) { return name == "solve"; };
    const Efficiency part = program.of_part(request);
    EXPECT_EQ(part.runtime, kSteps * (kStep - 20));
    EXPECT_EQ(part.ranks[2].computation, kSteps * (500 - 20));
    EXPECT_EQ(part.ranks[1].computation, kSteps * (100 - 20));
}

TEST(PartEfficiencyTest, TimeWithoutMeasurementIsNoComputation) {
    StragglerProgram program;
    for (u32 rank = 0; rank < kRanks; ++rank) {
        for (const auto& [time, mode] : {std::pair(u64{200}, kOff), {u64{1'900}, kOn}}) {
            program.trace().at(time);
            program.trace().record(rank, 0, EventType::MeasurementOnOff, {mode});
        }
    }
    program.steps();
    const Efficiency run = program.of_run();
    EXPECT_EQ(run.runtime, 10'000U - 100 - 1'700);
    EXPECT_EQ(run.ranks[0].begin, 100U);
    EXPECT_EQ(run.ranks[0].computation,
              100 + 100 + kSteps * 100 + (10'000 - kFirst - kSteps * kStep));
    EXPECT_EQ(run.focus, nullptr);
}

}  // namespace
}  // namespace tracefold
