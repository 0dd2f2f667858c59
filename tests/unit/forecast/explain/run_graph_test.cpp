// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/explain/run_graph.hpp"

#include "questions/profile/trace_profile.hpp"
#include "support/written_program.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

constexpr u64 kWork = 10'000;

/// Rank 1 works twice as long as the others, who wait for it in a reduction.
void wait_for_slow_rank(EventRecorder& recorder, u64 rank) {
    for (int step = 0; step < 20; ++step) {
        recorder.compute(rank == 1 ? 2 * kWork : kWork);
        recorder.collective("MPI_Allreduce", EventRecorder::kAllreduce, 8, 8,
                            rank == 1 ? 0 : kWork);
    }
}

/// Each rank works after it has received from the one before. A record takes 100 ticks.
void work_in_a_row(EventRecorder& recorder, u64 rank) {
    constexpr u64 kTurn = kWork + 1000;
    for (int step = 0; step < 20; ++step) {
        if (rank > 0) recorder.receive(rank - 1, 1, 8, rank * kTurn);
        recorder.compute(kWork);
        if (rank < 3) recorder.send(rank + 1, 1, 8);
        if (rank == 0 || rank == 3) recorder.compute(300);
        recorder.collective("MPI_Allreduce", EventRecorder::kAllreduce, 8, 8, (3 - rank) * kTurn);
    }
}

TEST(RunGraphTest, RecordedDurationsGiveTheRecordedTimes) {
    for (const auto& body : {wait_for_slow_rank, work_in_a_row}) {
        WrittenProgram program(4, body);
        const RunGraph graph = read_run_graph(*program, nullptr, 1);
        ASSERT_EQ(graph.why_not, "");
        EXPECT_EQ(graph.early_messages, 0U);
        const RunWalk walked = walk(graph, graph.recorded());
        EXPECT_EQ(walked.runtime, graph.runtime());
        for (u32 call = 0; call < graph.calls.size(); ++call) {
            EXPECT_EQ(walked.begins[call], graph.calls[call].begin);
        }
    }
}

TEST(RunGraphTest, WithoutTransferTheRunTakesTheIdealTimeOfEfficiency) {
    for (const auto& body : {wait_for_slow_rank, work_in_a_row}) {
        WrittenProgram program(4, body);
        const RunGraph graph = read_run_graph(*program, nullptr, 1);
        RunDurations ideal = graph.recorded();
        std::ranges::fill(ideal.own, 0);
        std::ranges::fill(ideal.ignored, RunDurations::receivers);
        const Efficiency efficiency = trace_efficiency(*program);
        EXPECT_EQ(walk(graph, ideal).runtime, efficiency.ideal_runtime.most);
        EXPECT_EQ(graph.runtime(), efficiency.runtime);
    }
}

TEST(RunGraphTest, TooManyCallsAreNotRead) {
    WrittenProgram program(4, wait_for_slow_rank);
    const RunGraph graph = read_run_graph(*program, nullptr, 1, 10);
    EXPECT_EQ(graph.why_not, "the trace has more than 10 MPI calls");
    EXPECT_TRUE(graph.calls.empty());
}

TEST(RunGraphTest, CriticalPathLeadsFromEndToBegin) {
    WrittenProgram program(4, wait_for_slow_rank);
    const RunGraph graph = read_run_graph(*program, nullptr, 1);
    const RunDurations recorded = graph.recorded();
    const RunWalk walked = walk(graph, recorded);
    u64 length = 0;
    u64 on_slow_rank = 0;
    for (const PathPart& part : critical_path(graph, recorded, walked)) {
        length += part.computation + part.own;
        if (graph.rank_of[part.call] == 1) on_slow_rank += part.computation;
    }
    EXPECT_EQ(length, walked.runtime);
    EXPECT_GE(on_slow_rank, 20 * 2 * kWork);
}

TEST(RunGraphTest, ChangesMoveWhatDependsOnThem) {
    WrittenProgram program(4, wait_for_slow_rank);
    const RunGraph graph = read_run_graph(*program, nullptr, 1);
    RunDurations changed = graph.recorded();
    for (u32 call = graph.first[1]; call < graph.first[2]; ++call) {
        if (changed.computation[call] > 2 * kWork) changed.computation[call] -= kWork;
    }
    EXPECT_EQ(walk(graph, changed).runtime, graph.runtime() - 20 * kWork);
}

TEST(RunGraphTest, MessagesCanLeaveEarlier) {
    WrittenProgram program(4, work_in_a_row);
    const RunGraph graph = read_run_graph(*program, nullptr, 1);
    RunDurations changed = graph.recorded();
    changed.earlier.resize(graph.calls.size());
    for (u32 call = 0; call < graph.calls.size(); ++call) {
        if (graph.calls[call].function == MpiFunction::Send) {
            changed.earlier[call] = changed.computation[call];
        }
    }
    // All ranks work at once: three of four works a step are won.
    const u64 won = graph.runtime() - walk(graph, changed).runtime;
    EXPECT_GE(won, 20 * 3 * kWork);
    EXPECT_LE(won, 20 * 3 * (kWork + 1000));
}

}  // namespace
}  // namespace tracefold
