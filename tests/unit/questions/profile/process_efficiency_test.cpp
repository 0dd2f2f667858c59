// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "questions/profile/detail/efficiency.hpp"
#include "support/made_traces.hpp"
#include "support/test_directory.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using testing::MadeTrace;

template <class Fill>
Efficiency efficiency_of(const MadeTrace::Shape& shape, const Fill& fill) {
    MadeTrace trace(shape);
    fill(trace);
    const TestDirectory directory;
    const std::string path = (directory / "processes.tfold").string();
    trace.fold(path);
    TraceFile file(path);
    return trace_efficiency(file);
}

TEST(ProcessEfficiencyTest, PesComputeOutsideOfCommunication) {
    const Efficiency result = efficiency_of(testing::kTwoPes, testing::make_puts);
    ASSERT_EQ(result.ranks.size(), 2U);
    EXPECT_EQ(result.ranks[0].mpi, 60U);
    EXPECT_EQ(result.ranks[0].computation, 60U);
    EXPECT_EQ(result.ranks[1].mpi, 10U + 10);
    EXPECT_EQ(result.ranks[1].computation, 100U);
    EXPECT_EQ(result.runtime, 120U);
    EXPECT_DOUBLE_EQ(*result.load_balance, 0.8);
    EXPECT_DOUBLE_EQ(*result.communication, 100.0 / 120);
    EXPECT_DOUBLE_EQ(*result.parallel, 80.0 / 120);
    EXPECT_FALSE(result.serialisation.has_value());
    EXPECT_FALSE(result.why_not_split.empty());
    EXPECT_EQ(result.gaps.kind, ProcessKind::pe);
    EXPECT_TRUE(result.gaps.empty());
    ASSERT_EQ(result.threads.waits.size(), 2U);
    EXPECT_TRUE(result.threads.threads.empty());
    for (const ThreadEfficiency::Wait& wait : result.threads.waits) {
        EXPECT_EQ(wait.path, "main/shmem_barrier_all");
        EXPECT_EQ(wait.ticks, wait.process == 0 ? 60U : 10U);
        EXPECT_EQ(wait.use, ThreadUse::barrier);
    }
}

/// A thread computes from its first record to its last, whatever regions it has.
TEST(ProcessEfficiencyTest, ThreadsWithoutForksAreCompared) {
    const Efficiency result = efficiency_of(testing::kProcesses, testing::make_work);
    ASSERT_EQ(result.ranks.size(), 2U);
    EXPECT_EQ(result.names, (std::vector<std::string>{"process 0", "process 2"}));
    EXPECT_EQ(result.ranks[1].rank, 2U);
    EXPECT_DOUBLE_EQ(*result.load_balance, 75.0 / 100);
    EXPECT_DOUBLE_EQ(*result.communication, 1.0);
    ASSERT_EQ(result.threads.threads.size(), 3U);
    EXPECT_EQ(result.threads.threads[0].computation(), 100U);
    EXPECT_EQ(result.threads.threads[1].computation(), 40U);
    EXPECT_EQ(result.threads.threads[1].of(ThreadUse::idle), 60U);
    EXPECT_EQ(result.threads.threads[2].computation(), 50U);
    EXPECT_DOUBLE_EQ(*result.hybrid, 190.0 / 3 / 100);
    EXPECT_NEAR(*result.hybrid, *result.parallel * *result.thread_parallel, 1e-12);
    EXPECT_EQ(result.gaps.without_events.members(), std::vector<u32>{1});
    EXPECT_EQ(result.gaps.silent_threads, 1U);
    EXPECT_EQ(gap_sentences(result.gaps, GapScope::events),
              (std::vector<std::string>{"1 of 3 processes has no events and is left out: 1",
                                        "1 of 4 threads has no events and is left out"}));
}

TEST(ProcessEfficiencyTest, RanksWithoutEventsAreLeftOut) {
    const Efficiency result = efficiency_of(testing::kHalfRecorded, testing::make_half);
    ASSERT_EQ(result.ranks.size(), 2U);
    EXPECT_EQ(result.ranks[0].rank, 1U);
    EXPECT_EQ(result.ranks[1].rank, 3U);
    EXPECT_GT(*result.load_balance, 0.5);
    EXPECT_EQ(gap_sentences(result.gaps, GapScope::mpi),
              std::vector<std::string>{"2 of 4 ranks have no events and are left out: 0,2"});
}

/// What such a rank computes is not known: it does not count as a rank that computes nothing.
TEST(ProcessEfficiencyTest, RanksWithoutMpiAreLeftOut) {
    const Efficiency result = efficiency_of({.ranks = 2}, [](MadeTrace& trace) {
        trace.call(0, "MPI_Init");
        trace.call(0, "compute");
        trace.call(1, "compute");
        trace.call(0, "MPI_Finalize");
    });
    ASSERT_EQ(result.ranks.size(), 1U);
    EXPECT_DOUBLE_EQ(*result.load_balance, 1.0);
    EXPECT_EQ(gap_sentences(result.gaps, GapScope::mpi),
              std::vector<std::string>{"1 of 2 ranks calls no MPI functions and is left out: 1"});
    EXPECT_TRUE(gap_sentences(result.gaps, GapScope::events).empty());
}

TEST(ProcessEfficiencyTest, OneThreadIsComparedWithNothing) {
    const MadeTrace::Shape shape = {.ranks = 1, .paradigm = MadeTrace::kNoParadigm};
    try {
        efficiency_of(shape, [](MadeTrace& trace) { trace.call(0, "compute"); });
        FAIL() << "a program of one thread has efficiency figures";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::unsupported);
        EXPECT_NE(std::string(error.what()).find("one process with one thread"), std::string::npos);
    }
}

}  // namespace
}  // namespace tracefold
