// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/trace_file.hpp"
#include "questions/profile/detail/efficiency.hpp"
#include "questions/profile/detail/thread_efficiency.hpp"
#include "support/made_trace.hpp"
#include "support/test_directory.hpp"

#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using testing::MadeTrace;

const std::string kParallel = "!$omp parallel @program.c:3";
const std::string kBarrier = "!$omp barrier @program.c:5";

/// Two ranks of two threads, all of which send or receive a message in a parallel region from 100
/// to 500. What each does by itself ends with a barrier of the rank's threads:
///
///     0    work to 300, MPI_Send to 400        0.1  work to 200, MPI_Recv to 450
///     1    MPI_Recv to 400                     1.1  work to 350, MPI_Send to 450
class ThreadsOfTwoRanks {
  public:
    ThreadsOfTwoRanks() : trace_({.ranks = 2, .threads = 2}) {
        for (const u32 rank : {0U, 1U}) begin(rank);
        message(0, 0, 300, 400, EventType::MpiSend, 1);
        message(0, 1, 200, 450, EventType::MpiRecv, 2);
        message(1, 0, 100, 400, EventType::MpiRecv, 1);
        message(1, 1, 350, 450, EventType::MpiSend, 2);
        for (const u32 rank : {0U, 1U}) end(rank);
    }

    [[nodiscard]] Efficiency efficiency() {
        const TestDirectory directory;
        const std::string path = (directory / "threads.tfold").string();
        trace_.fold(path);
        TraceFile file(path);
        return trace_efficiency(file);
    }

  private:
    void at(u64 time, u32 rank, u32 thread, EventType type, const std::vector<u64>& fields) {
        trace_.at(time);
        trace_.record(rank, thread, type, fields);
    }

    void begin(u32 rank) {
        const u64 team = rank + 2;
        at(0, rank, 0, EventType::Enter, {trace_.region("main")});
        at(0, rank, 0, EventType::Enter, {trace_.region("MPI_Init")});
        at(100, rank, 0, EventType::Leave, {trace_.region("MPI_Init")});
        at(100, rank, 0, EventType::ThreadFork, {0, 2});
        for (const u32 thread : {0U, 1U}) {
            at(100, rank, thread, EventType::ThreadTeamBegin, {team});
            at(100, rank, thread, EventType::Enter, {trace_.region(kParallel)});
        }
    }

    void message(u32 rank, u32 thread, u64 begin, u64 end, EventType type, u64 tag) {
        const u64 region = trace_.region(type == EventType::MpiSend ? "MPI_Send" : "MPI_Recv");
        at(begin, rank, thread, EventType::Enter, {region});
        at(begin, rank, thread, type, {1 - rank, 0, tag, 8});
        at(end, rank, thread, EventType::Leave, {region});
        at(end, rank, thread, EventType::Enter, {trace_.region(kBarrier)});
        at(500, rank, thread, EventType::Leave, {trace_.region(kBarrier)});
    }

    void end(u32 rank) {
        for (const u32 thread : {0U, 1U}) {
            at(500, rank, thread, EventType::Leave, {trace_.region(kParallel)});
            at(500, rank, thread, EventType::ThreadTeamEnd, {u64{rank} + 2});
        }
        at(500, rank, 0, EventType::ThreadJoin, {0});
        at(500, rank, 0, EventType::Enter, {trace_.region("MPI_Finalize")});
        at(600, rank, 0, EventType::Leave, {trace_.region("MPI_Finalize")});
        at(600, rank, 0, EventType::Leave, {trace_.region("main")});
    }

    MadeTrace trace_;
};

TEST(MpiThreadsTest, MpiTakesWhatThreadsSpendInItAndWaitForEachOtherMeanwhile) {
    const Efficiency result = ThreadsOfTwoRanks().efficiency();
    EXPECT_TRUE(result.threads_call_mpi);
    EXPECT_EQ(result.runtime, 400U);
    ASSERT_EQ(result.ranks.size(), 2U);
    // 100 + 250 in MPI, and thread 0 waits from 400 to 450 for thread 1, which is in MPI.
    EXPECT_EQ(result.ranks[0].mpi, (100U + 250 + 50) / 2);
    EXPECT_EQ(result.ranks[0].computation, 200U);
    EXPECT_EQ(result.ranks[1].mpi, (300U + 100 + 50) / 2);
    EXPECT_EQ(result.ranks[1].computation, 175U);
}

TEST(MpiThreadsTest, FactorsAreThoseOfTheHybridModel) {
    const Efficiency result = ThreadsOfTwoRanks().efficiency();
    EXPECT_DOUBLE_EQ(*result.load_balance, 187.5 / 200);
    EXPECT_DOUBLE_EQ(*result.communication, 200.0 / 400);
    EXPECT_DOUBLE_EQ(*result.parallel, 187.5 / 400);
    // Useful: 200, 100, 0 and 250 ticks.
    EXPECT_DOUBLE_EQ(*result.hybrid, 137.5 / 400);
    EXPECT_DOUBLE_EQ(*result.thread_parallel, 137.5 / 187.5);
    // The greatest of a rank: 200, and 175 of 250, which is all that rank 1 computes.
    EXPECT_DOUBLE_EQ(*result.thread_load_balance, 137.5 / 187.5);
    EXPECT_DOUBLE_EQ(*result.thread_communication, 1);
}

TEST(MpiThreadsTest, AnIdealNetworkIsNotMadeUp) {
    const Efficiency result = ThreadsOfTwoRanks().efficiency();
    EXPECT_FALSE(result.serialisation.has_value());
    EXPECT_FALSE(result.transfer.has_value());
    EXPECT_FALSE(result.has_ideal());
    EXPECT_NE(result.why_not_split.find("threads of a rank call MPI"), std::string::npos);
}

TEST(MpiThreadsTest, WaitsAreThoseOfThreadsBelowTheirFork) {
    const Efficiency result = ThreadsOfTwoRanks().efficiency();
    ASSERT_EQ(result.waits.size(), 2U);
    for (const Efficiency::Wait& wait : result.waits) {
        EXPECT_EQ(wait.path, "main/" + kParallel + "/MPI_Recv");
        EXPECT_EQ(wait.kind, WaitKind::late_sender);
        EXPECT_EQ(wait.ticks, wait.rank == 0 ? 150U : 200U);
        EXPECT_EQ(wait.location, wait.rank == 0 ? 1U : 2U);
    }
    EXPECT_EQ(result.ranks[0].waits[static_cast<std::size_t>(WaitKind::late_sender)], 75U);
}

TEST(MpiThreadsTest, ThreadsKeepTheirOwnTimes) {
    const Efficiency result = ThreadsOfTwoRanks().efficiency();
    const std::vector<u64> mpi = {100, 250, 300, 100};
    const std::vector<u64> barrier = {100, 50, 100, 50};
    const std::vector<u64> work = {200, 100, 0, 250};
    ASSERT_EQ(result.threads.threads.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
        const ThreadTimes& thread = result.threads.threads[i];
        EXPECT_EQ(thread.mpi, mpi[i]) << i;
        EXPECT_EQ(thread.of(ThreadUse::barrier), barrier[i]) << i;
        EXPECT_EQ(thread.of(ThreadUse::work), work[i]) << i;
    }
}

}  // namespace
}  // namespace tracefold
