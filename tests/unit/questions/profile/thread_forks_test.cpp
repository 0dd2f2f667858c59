// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/thread_forks.hpp"

#include "base/communicator.hpp"
#include "questions/profile/trace_profile.hpp"
#include "support/made_threads.hpp"
#include "support/made_traces.hpp"
#include "support/test_directory.hpp"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using testing::MadeTrace;
using testing::Threads;

/// Visits and time of each call path, by thread with events: "main/parallel" -> {{1, 7}, ...}.
struct Cell {
    u64 visits = 0;
    u64 ticks = 0;

    bool operator==(const Cell&) const = default;
};
using Paths = std::map<std::string, std::vector<Cell>>;

Paths profile_of(MadeTrace& trace, u32 threads, bool times = true) {
    const TestDirectory directory;
    const std::string path = (directory / "threads.tfold").string();
    trace.fold(path);
    TraceFile file(path);
    SerialCommunicator comm;
    ProfileRequest request;
    request.selected.assign(threads, true);
    request.by = ProfileGroups::location;
    request.times = times;
    const TraceProfile profile = trace_profile(comm, file, request);
    Paths paths;
    for (u32 node = 0; node < profile.names.size(); ++node) {
        const MetricSummary& values = profile.profile.nodes[node].exclusive;
        const auto visits = values.groups(ProfileMetric::visits);
        const auto ticks = values.groups(ProfileMetric::time);
        std::vector<Cell>& cells = paths[profile.path(node)];
        for (std::size_t thread = 0; thread < profile.groups.size(); ++thread) {
            cells.push_back(
                {visits.empty() ? 0 : visits[thread], ticks.empty() ? 0 : ticks[thread]});
        }
    }
    return paths;
}

TEST(ThreadForksTest, WorkersAreBelowTheCallThatForkedThem) {
    Threads trace(2);
    trace.enter(0, "main");
    trace.enter(0, "a");
    trace.parallel("parallel", 2);
    trace.leave(0, "a");
    trace.enter(0, "b");
    trace.parallel("parallel", 2);
    trace.leave(0, "b");
    trace.leave(0, "main");
    // From its Enter: fork, two beginnings, an Enter; at the end two ends, the join and its Leave.
    // The worker has no time from its beginning to its Enter, and from its Leave to its end.
    const Paths wanted = {{"main", {{1, 3}, {0, 0}}},
                          {"main/a", {{1, 4 + 5}, {0, 0}}},
                          {"main/a/parallel", {{1, 2 + 2}, {1, 2 + 2}}},
                          {"main/a/parallel/work", {{1, 2}, {1, 2}}},
                          {"main/b", {{1, 4 + 5}, {0, 0}}},
                          {"main/b/parallel", {{1, 2 + 2}, {1, 2 + 2}}},
                          {"main/b/parallel/work", {{1, 2}, {1, 2}}}};
    EXPECT_EQ(profile_of(trace.trace, 2), wanted);
}

TEST(ThreadForksTest, CountsWithoutTimesAreTheSame) {
    Threads trace(2);
    trace.enter(0, "main");
    for (u32 i = 0; i < 10; ++i) trace.parallel(i % 2 == 0 ? "even" : "odd", 2);
    trace.leave(0, "main");
    const Paths with = profile_of(trace.trace, 2);
    const Paths without = profile_of(trace.trace, 2, false);
    ASSERT_EQ(with.size(), without.size());
    for (const auto& [path, cells] : with) {
        for (u32 thread = 0; thread < 2; ++thread) {
            EXPECT_EQ(cells[thread].visits, without.at(path)[thread].visits) << path;
        }
    }
    EXPECT_EQ(with.at("main/odd/work")[1].visits, 5U);
}

TEST(ThreadForksTest, ATeamWithinATeamIsBelowItsOwnMaster) {
    Threads trace(4);
    trace.enter(0, "main");
    trace.fork(0);
    trace.begin(0, 2);
    trace.begin(1, 2);
    trace.enter(1, "outer");
    trace.fork(1);
    trace.begin(1, 3);
    trace.begin(3, 3);
    trace.enter(3, "inner");
    trace.leave(3, "inner");
    trace.end(3, 3);
    trace.end(1, 3);
    trace.join(1);
    trace.leave(1, "outer");
    trace.end(1, 2);
    trace.end(0, 2);
    trace.leave(0, "main");
    const Paths paths = profile_of(trace.trace, 4);
    EXPECT_EQ(paths.size(), 3U);
    EXPECT_EQ(paths.at("main/outer")[1].visits, 1U);
    // Thread 2 has no events and is left out.
    EXPECT_EQ(paths.at("main/outer/inner").size(), 3U);
    EXPECT_EQ(paths.at("main/outer/inner")[2], (Cell{1, 1}));
}

TEST(ThreadForksTest, ACreatedThreadIsBelowTheCallThatCreatedIt) {
    Threads trace(2);
    trace.enter(0, "main");
    trace.enter(0, "pthread_create");
    trace.record(0, EventType::ThreadCreate, {4, 1});
    trace.leave(0, "pthread_create");
    trace.record(1, EventType::ThreadBegin, {4, 1});
    trace.enter(1, "start");
    trace.leave(1, "start");
    trace.record(1, EventType::ThreadEnd, {4, 1});
    trace.leave(0, "main");
    const Paths paths = profile_of(trace.trace, 2);
    EXPECT_EQ(paths.at("main/pthread_create/start")[1], (Cell{1, 1}));
}

TEST(ThreadForksTest, AWorkerWithoutAForkHasATreeOfItsOwn) {
    Threads trace(2);
    trace.enter(0, "main");
    trace.leave(0, "main");
    trace.begin(1, 2);
    trace.enter(1, "parallel");
    trace.leave(1, "parallel");
    trace.end(1, 2);
    EXPECT_TRUE(profile_of(trace.trace, 2).contains("parallel"));
}

/// A task that one thread suspends and the other one completes: 29 and 10 ticks.
void add_migrating_tasks(Threads& threads, u64 tasks) {
    const auto task = [&threads](u64 time, u32 thread, EventType type, u64 creator, u64 number) {
        threads.trace.at(time);
        threads.record(thread, type, {0, creator, number});
    };
    threads.trace.at(10);
    threads.enter(0, "main");
    threads.enter(1, "worker");
    for (u64 number = 1; number <= tasks; ++number) {
        const u64 begin = number * 100;
        task(begin, 0, EventType::ThreadTaskCreate, 0, number);
        task(begin + 10, 1, EventType::ThreadTaskSwitch, 0, number);
        threads.enter(1, "!$omp task");
        task(begin + 40, 1, EventType::ThreadTaskSwitch, 1, 0);
        task(begin + 50, 0, EventType::ThreadTaskSwitch, 0, number);
        threads.trace.at(begin + 60);
        threads.leave(0, "!$omp task");
        threads.record(0, EventType::ThreadTaskComplete, {0, 0, number});
    }
    threads.trace.at(2000);
    threads.leave(0, "main");
    threads.leave(1, "worker");
}

TEST(TasksTest, TimeBelongsToTheTaskThatRuns) {
    Threads threads(2);
    add_migrating_tasks(threads, 10);
    const Paths paths = profile_of(threads.trace, 2);
    EXPECT_EQ(paths.at("TASKS/!$omp task"), (std::vector<Cell>{{0, 100}, {10, 290}}));
    // Without the 11 and 30 ticks from switch to switch.
    EXPECT_EQ(paths.at("main"), (std::vector<Cell>{{1, 1990 - 110}, {0, 0}}));
    EXPECT_EQ(paths.at("worker"), (std::vector<Cell>{{0, 0}, {1, 1990 - 300}}));
}

TEST(TasksTest, VisitsNeedNoTimes) {
    Threads threads(2);
    add_migrating_tasks(threads, 10);
    const Paths paths = profile_of(threads.trace, 2, false);
    EXPECT_EQ(paths.at("TASKS/!$omp task"), (std::vector<Cell>{{0, 0}, {10, 0}}));
    EXPECT_EQ(paths.at("main"), (std::vector<Cell>{{1, 0}, {0, 0}}));
}

TEST(TasksTest, StacksOfTasksLeadToTheirOwnPaths) {
    Threads threads(1);
    threads.enter(0, "main");
    threads.record(0, EventType::ThreadTaskSwitch, {0, 0, 1});
    threads.enter(0, "outer");
    threads.enter(0, "inner");
    threads.record(0, EventType::ThreadTaskSwitch, {0, 0, 0});
    threads.enter(0, "wait");
    threads.leave(0, "wait");
    threads.record(0, EventType::ThreadTaskSwitch, {0, 0, 1});
    threads.leave(0, "renamed");
    threads.leave(0, "outer");
    threads.record(0, EventType::ThreadTaskComplete, {0, 0, 1});
    threads.leave(0, "main");
    const Paths paths = profile_of(threads.trace, 1);
    EXPECT_EQ(paths.at("main/wait"), (std::vector<Cell>{{1, 1}}));
    EXPECT_EQ(paths.at("TASKS/outer"), (std::vector<Cell>{{1, 2}}));
    EXPECT_EQ(paths.at("TASKS/outer/inner"), (std::vector<Cell>{{1, 2}}));
    EXPECT_EQ(paths.at("main"), (std::vector<Cell>{{1, 4}}));
}

TEST(DepthTest, PathsOfDeepCallsAreShort) {
    Threads threads(1);
    testing::make_recursion(threads.trace, 5000);
    std::size_t longest = 0;
    const Paths paths = profile_of(threads.trace, 1);
    for (const auto& [path, cells] : paths) longest = std::max(longest, path.size());
    EXPECT_EQ(paths.size(), 5001U);
    EXPECT_LT(longest, 4100U);
}

}  // namespace
}  // namespace tracefold
