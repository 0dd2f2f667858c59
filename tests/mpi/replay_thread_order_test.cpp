// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/timing/pacer.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

struct RecordedCall {
    u64 begin = 0;
    u64 end = 0;
};

/// Issues the calls of some threads, each on a thread of its own, and gives the order in which they
/// came: (thread, call).
std::vector<std::pair<std::size_t, std::size_t>> issue(
    const std::vector<std::vector<RecordedCall>>& threads, ThreadOrder& order) {
    std::mutex mutex;
    std::vector<std::pair<std::size_t, std::size_t>> issued;
    std::vector<std::thread> running;
    for (std::size_t thread = 0; thread < threads.size(); ++thread) {
        running.emplace_back([&, thread] {
            for (std::size_t call = 0; call < threads[thread].size(); ++call) {
                order.before_call(thread, threads[thread][call].begin, threads[thread][call].end);
                const std::lock_guard guard(mutex);
                issued.emplace_back(thread, call);
            }
            order.end(thread);
        });
    }
    for (std::thread& thread : running) thread.join();
    return issued;
}

std::size_t place(const std::vector<std::pair<std::size_t, std::size_t>>& issued,
                  std::size_t thread, std::size_t call) {
    const auto found =
        std::find(issued.begin(), issued.end(), std::pair<std::size_t, std::size_t>(thread, call));
    return static_cast<std::size_t>(found - issued.begin());
}

/// The first thread starts the second one after its first call, and goes on when it has ended.
TEST(ThreadOrderTest, KeepsLivesApart) {
    const std::vector<std::vector<RecordedCall>> threads = {
        {{0, 10}, {100, 110}}, {{20, 30}, {40, 50}}, {{120, 130}}};
    ThreadOrder order({{0, 110}, {20, 50}, {120, 130}});
    for (int run = 0; run < 50; ++run) {
        order.reset();
        const auto issued = issue(threads, order);
        ASSERT_EQ(issued.size(), 5U);
        EXPECT_LT(place(issued, 0, 0), place(issued, 1, 0));
        EXPECT_LT(place(issued, 1, 1), place(issued, 0, 1));
        EXPECT_LT(place(issued, 0, 1), place(issued, 2, 0));
    }
}

/// Threads that lived at the same time do not wait for each other.
TEST(ThreadOrderTest, LetsThreadsRunBesideEachOther) {
    ThreadOrder order({{0, 100}, {10, 100}});
    // The second thread never comes: the first one must not wait for it.
    order.before_call(0, 0, 50);
    order.before_call(0, 60, 100);
    order.end(0);
}

/// A thread that waits leaves the processor to those that it waits for: with a dozen of them on few
/// cores, polling would keep the others from their calls.
TEST(ThreadOrderTest, WaitsAsleep) {
    constexpr std::chrono::milliseconds kLife(200);
    ThreadOrder order({{0, 10}, {20, 30}});
    long used = 0;
    std::thread later([&order, &used] {
        timespec before{};
        timespec after{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
        order.before_call(1, 20, 30);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
        used = (after.tv_sec - before.tv_sec) * 1'000'000'000 + after.tv_nsec - before.tv_nsec;
        order.end(1);
    });
    order.before_call(0, 0, 10);
    std::this_thread::sleep_for(kLife);
    order.end(0);
    later.join();
    EXPECT_LT(std::chrono::nanoseconds(used), kLife / 4);
}

/// Several wait for different calls of one thread.
TEST(ThreadOrderTest, WakesThoseWhoseCallHasCome) {
    constexpr std::size_t kThreads = 6;
    std::vector<ThreadOrder::Life> lives = {{0, 1000}};
    std::vector<std::vector<RecordedCall>> threads(1);
    for (u64 tick = 0; tick < 100; ++tick) threads[0].push_back({tick * 10, tick * 10 + 5});
    for (std::size_t i = 1; i < kThreads; ++i) {
        const u64 begin = i * 150 + 7;
        lives.push_back({begin, begin + 1});
        threads.push_back({{begin, begin + 1}});
    }
    lives[0].end = 995;
    ThreadOrder order(lives);
    for (int run = 0; run < 50; ++run) {
        order.reset();
        const auto issued = issue(threads, order);
        ASSERT_EQ(issued.size(), 100 + kThreads - 1);
        for (std::size_t i = 1; i < kThreads; ++i) {
            EXPECT_LT(place(issued, 0, i * 15), place(issued, i, 0)) << i;
        }
    }
}

}  // namespace
}  // namespace tracefold
