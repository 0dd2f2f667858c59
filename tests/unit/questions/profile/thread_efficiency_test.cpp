// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/detail/thread_efficiency.hpp"

#include "questions/profile/detail/efficiency.hpp"
#include "support/made_threads.hpp"
#include "support/sample_file.hpp"
#include "support/test_directory.hpp"

#include <numeric>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using testing::add_late_thread;
using testing::Threads;

Efficiency efficiency_of(Threads& threads) {
    const TestDirectory directory;
    const std::string path = (directory / "threads.tfold").string();
    threads.trace.fold(path);
    TraceFile file(path);
    return trace_efficiency(file);
}

TEST(ThreadEfficiencyTest, WaitingIsNoComputation) {
    Threads threads(2);
    add_late_thread(threads);
    const Efficiency result = efficiency_of(threads);
    ASSERT_EQ(result.threads.threads.size(), 2U);
    const ThreadTimes& master = result.threads.threads[0];
    EXPECT_EQ(master.of(ThreadUse::barrier), 4U);
    EXPECT_EQ(master.of(ThreadUse::management), 3U + 2);
    EXPECT_EQ(master.of(ThreadUse::idle), 0U);
    EXPECT_EQ(master.of(ThreadUse::work), 8U);
    const ThreadTimes& worker = result.threads.threads[1];
    EXPECT_EQ(worker.of(ThreadUse::barrier), 2U);
    EXPECT_EQ(worker.of(ThreadUse::management), 2U);
    EXPECT_EQ(worker.of(ThreadUse::idle), 3U + 2);
    EXPECT_EQ(worker.of(ThreadUse::work), 8U);
}

TEST(ThreadEfficiencyTest, WaitsAreToldByCallPath) {
    Threads threads(2);
    add_late_thread(threads);
    const Efficiency result = efficiency_of(threads);
    ASSERT_EQ(result.threads.waits.size(), 2U);
    for (const ThreadEfficiency::Wait& wait : result.threads.waits) {
        EXPECT_EQ(wait.path, "main/!$omp parallel @program.c:3/!$omp barrier @program.c:5");
        EXPECT_EQ(wait.use, ThreadUse::barrier);
        EXPECT_EQ(wait.count, 1U);
        EXPECT_EQ(wait.ticks, wait.location == 0 ? 4U : 2U);
    }
}

/// What a created thread does outside of all regions is not what its creator does there.
TEST(ThreadEfficiencyTest, ACreatedThreadWorks) {
    Threads threads(2);
    threads.enter(0, "main");
    threads.trace.call(0, "MPI_Init");  // ends at 2
    threads.enter(0, "pthread_create");
    threads.record(0, EventType::ThreadCreate, {2, 1});
    threads.leave(0, "pthread_create");
    threads.record(1, EventType::ThreadBegin, {2, 1});
    threads.record(1, EventType::ThreadEnd, {2, 1});
    threads.trace.call(0, "MPI_Finalize");
    threads.leave(0, "main");
    const Efficiency result = efficiency_of(threads);
    ASSERT_EQ(result.threads.threads.size(), 2U);
    EXPECT_EQ(result.threads.threads[0].of(ThreadUse::management), 2U);
    EXPECT_EQ(result.threads.threads[1].of(ThreadUse::management), 0U);
    EXPECT_EQ(result.threads.threads[1].of(ThreadUse::work), 1U);
}

TEST(ThreadEfficiencyTest, HybridFactorsMultiply) {
    Threads threads(2);
    add_late_thread(threads);
    const Efficiency result = efficiency_of(threads);
    EXPECT_EQ(result.runtime, 17U);
    EXPECT_DOUBLE_EQ(*result.parallel, 1.0);
    EXPECT_DOUBLE_EQ(*result.hybrid, 8.0 / 17);
    EXPECT_DOUBLE_EQ(*result.thread_parallel, 8.0 / 17);
    EXPECT_DOUBLE_EQ(*result.thread_load_balance, 1.0);
    EXPECT_DOUBLE_EQ(*result.thread_communication, 8.0 / 17);
}

TEST(ThreadEfficiencyTest, AllTimeOfAllThreadsIsSharedOut) {
    SampleFile file("micro-omphyb-4", TimingLevel::exact);
    const Efficiency result = trace_efficiency(*file);
    ASSERT_EQ(result.threads.threads.size(), 12U);
    for (const ThreadTimes& thread : result.threads.threads) {
        const RankEfficiency& rank = result.ranks[thread.process];
        const u64 outside = std::accumulate(thread.uses.begin(), thread.uses.end(), u64{0});
        EXPECT_EQ(outside + thread.mpi, rank.end - rank.begin);
        const bool calls_mpi =
            file->definitions().locations_of_rank(thread.process).front() == thread.location;
        EXPECT_EQ(thread.mpi, calls_mpi ? rank.mpi : 0U);
    }
    EXPECT_NEAR(*result.hybrid, *result.parallel * *result.thread_parallel, 1e-12);
    EXPECT_NEAR(*result.thread_parallel, *result.thread_load_balance * *result.thread_communication,
                1e-12);
}

TEST(ThreadEfficiencyTest, ProgramsOfOneThreadHaveNoFactorsOfThreads) {
    SampleFile file("npb-lu.S-4", TimingLevel::exact);
    const Efficiency result = trace_efficiency(*file);
    EXPECT_TRUE(result.threads.threads.empty());
    EXPECT_FALSE(result.hybrid.has_value());
}

TEST(ThreadRegionsTest, NamesTellWhatRolesDoNot) {
    EXPECT_EQ(use_by_name("!$omp implicit barrier @a.c:3"), ThreadUse::barrier);
    EXPECT_EQ(use_by_name("!$omp ibarrier @a.c:3"), ThreadUse::barrier);
    EXPECT_EQ(use_by_name("!$omp critical @a.c:3"), ThreadUse::lock);
    EXPECT_EQ(use_by_name("!$omp critical sblock @a.c:3"), ThreadUse::work);
    EXPECT_EQ(use_by_name("!$omp taskwait @a.c:3"), ThreadUse::task_wait);
    EXPECT_EQ(use_by_name("!$omp create task @a.c:3"), ThreadUse::management);
    EXPECT_EQ(use_by_name("!$omp task @a.c:3"), ThreadUse::work);
    EXPECT_EQ(use_by_name("!$omp parallel @a.c:3"), ThreadUse::work);
    EXPECT_EQ(use_by_name("omp_set_lock"), ThreadUse::lock);
    EXPECT_EQ(use_by_name("pthread_join"), ThreadUse::join);
    EXPECT_EQ(use_by_name("barrier"), ThreadUse::work);
}

}  // namespace
}  // namespace tracefold
