// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/bytes.hpp"
#include "base/error.hpp"
#include "base/thread_team.hpp"
#include "mpi/calls/call_prefetcher.hpp"
#include "support/sample_file.hpp"
#include "unit/mpi/seen_call.hpp"

#include <functional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

std::vector<u32> locations_of(TraceFile& file) {
    std::vector<u32> locations;
    for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
        for (const u32 location : mpi_locations(file, rank)) locations.push_back(location);
    }
    return locations;
}

/// Does something on process 0 of so many, for which the others read.
void with_processes(TraceFile& file, u32 processes,
                    const std::function<void(RemoteReaders& others)>& work) {
    run_as_team(processes, [&](Communicator& team) {
        if (team.rank() != 0) return read_for_first(team, file);
        RemoteReaders others(team);
        work(others);
    });
}

class CallsAheadTest : public ::testing::TestWithParam<const char*> {};

void expect_calls_of_each_location(TraceFile& file, Times times) {
    const std::vector<u32> locations = locations_of(file);
    std::vector<std::vector<SeenCall>> expected;
    for (const u32 location : locations) {
        MpiCallReader reader(file, location, times);
        std::vector<SeenCall>& calls = expected.emplace_back();
        for (MpiCall call; reader.next(call);) calls.emplace_back(call);
    }
    const auto look = [&](u32 threads, RemoteReaders* others) {
        CallPrefetcher ahead(file, threads, times, others);
        std::vector<CallPrefetcher::Next> next;
        for (const u32 location : locations) next.push_back(ahead.add(location, nullptr).next);
        ahead.start();
        // Some of each location in turn, until all have ended.
        std::vector<std::vector<SeenCall>> found(locations.size());
        std::vector<bool> ended(locations.size());
        for (std::size_t left = locations.size(); left > 0;) {
            for (std::size_t i = 0; i < locations.size(); ++i) {
                MpiCall call;
                for (std::size_t turn = 0; turn <= i && !ended[i]; ++turn) {
                    ended[i] = !next[i](call);
                    if (!ended[i]) found[i].emplace_back(call);
                    left -= ended[i] ? 1U : 0U;
                }
            }
        }
        EXPECT_EQ(found, expected) << threads;
        MpiCall call;
        for (const CallPrefetcher::Next& one : next) EXPECT_FALSE(one(call));
    };
    for (const u32 threads : {1U, 2U, 3U, 5U}) look(threads, nullptr);
    for (const u32 processes : {1U, 2U, 4U, 7U}) {
        with_processes(file, processes, [&](RemoteReaders& others) {
            for (const u32 threads : {1U, 2U}) look(threads, &others);
        });
    }
}

TEST_P(CallsAheadTest, GivesTheCallsOfEachLocation) {
    SampleFile sample(GetParam(), TimingLevel::exact);
    expect_calls_of_each_location(*sample, Times::read);
}

/// Locations with the same calls share them: peers, requests, and sizes at roots differ.
TEST_P(CallsAheadTest, GivesTheCallsOfEachLocationWithoutTimes) {
    SampleFile sample(GetParam(), TimingLevel::exact);
    expect_calls_of_each_location(*sample, Times::skip);
}

TEST_P(CallsAheadTest, MayBeGivenUpAtAnyTime) {
    SampleFile sample(GetParam(), TimingLevel::exact);
    const auto look = [&](u32 threads, RemoteReaders* others) {
        CallPrefetcher ahead(*sample, threads, Times::skip, others);
        std::vector<CallPrefetcher::Next> next;
        for (const u32 location : locations_of(*sample)) {
            next.push_back(ahead.add(location, nullptr).next);
        }
        ahead.start();
        MpiCall call;
        EXPECT_TRUE(next.front()(call));
        EXPECT_TRUE(next.back()(call));
    };
    for (const u32 threads : {2U, 3U}) look(threads, nullptr);
    with_processes(*sample, 3, [&](RemoteReaders& others) {
        look(1, &others);
        look(2, &others);
    });
}

TEST(CallsAheadFailureTest, AnotherProcessSaysWhatItCannotRead) {
    SampleFile sample("npb-lu.S-4", TimingLevel::exact);
    const std::vector<u32> locations = locations_of(*sample);
    with_processes(*sample, 2, [&](RemoteReaders& others) {
        ReplayPatch known;
        known.location = locations.back();
        known.collectives = "damaged";
        CallPrefetcher ahead(*sample, 1, Times::read, &others);
        for (const u32 location : locations) {
            const CallPrefetcher::Next next =
                ahead.add(location, location == known.location ? &known : nullptr).next;
            if (location != known.location) continue;
            ahead.start();
            MpiCall call;
            EXPECT_THROW(next(call), Error);
        }
    });
}

/// Whatever goes wrong comes in place of batches, those that are asked for later too.
TEST(CallsAheadFailureTest, AnotherProcessSaysWhatItCannotDo) {
    SampleFile sample("npb-lu.S-4", TimingLevel::exact);
    const auto ask = [](Communicator& team) {
        using Order = ReaderOrder::Kind;
        team.send(1, to_bytes(std::vector<ReaderOrder>{{Order::begin, 7}, {Order::fill, 0}}));
        team.send(1, to_bytes(std::vector<ReaderOrder>{{Order::fill, 0}, {Order::stop}}));
        for (int i = 0; i < 2; ++i) {
            const auto coming = team.start_receive(1);
            while (!coming->test()) std::this_thread::yield();
            AheadBatch batch;
            batch.take(coming->take());
            EXPECT_TRUE(batch.is_last);
            EXPECT_THROW(std::rethrow_exception(batch.failure), Error);
        }
    };
    run_as_team(2, [&](Communicator& team) {
        if (team.rank() != 0) return read_for_first(team, *sample);
        ReadingTask task;
        task.limits = {16, 0};
        task.locations = {locations_of(*sample).front()};
        team.send(1, to_bytes(task));
        ask(team);
        team.send(1, "damaged");
        ask(team);
        team.send(1, {});
    });
}

using Extent = std::pair<u64, u64>;

/// Begin and end of all calls of a location, some of whose iterations are left out.
std::vector<Extent> extents_of(const CallPrefetcher::Calls& calls, std::mt19937& random,
                               u64& left_out) {
    std::vector<Extent> extents;
    u64 begins_from = 0;
    MpiCall call;
    while (true) {
        if (calls.next(call)) {
            EXPECT_EQ(call.index, extents.size());
            extents.emplace_back(call.begin, call.end);
            continue;
        }
        const ComingIterations coming = calls.iterations->coming();
        if (coming.count == 0) return extents;
        if (extents.size() >= begins_from && random() % 3 == 0) {
            const u64 begin = extents.size() - random() % 2;
            begins_from = calls.iterations->begin_at(begin);
            EXPECT_GT(begins_from, begin);
        }
        const u64 iterations = 1 + random() % coming.count;
        if (random() % 2 == 0) {
            calls.iterations->read(iterations);
            continue;
        }
        calls.iterations->leave_out(iterations);
        left_out += iterations;
        for (u64 i = 0; i < iterations; ++i) {
            const u64* times = calls.iterations->next_times();
            for (std::size_t j = 0; j < coming.calls; ++j) {
                extents.emplace_back(times[2 * j], times[2 * j + 1]);
            }
        }
    }
}

TEST_P(CallsAheadTest, LeavesOutIterationsOrReadsThemWhereverTheyBegin) {
    SampleFile sample(GetParam(), TimingLevel::exact);
    std::mt19937 random(17);
    u64 left_out = 0;
    for (const u32 location : locations_of(*sample)) {
        std::vector<Extent> expected;
        MpiCallReader reader(*sample, location);
        for (MpiCall call; reader.next(call);) expected.emplace_back(call.begin, call.end);
        const auto look = [&](u32 threads, RemoteReaders* others) {
            CallPrefetcher ahead(*sample, threads, Times::read, others);
            ahead.offer_iterations();
            const CallPrefetcher::Calls calls = ahead.add(location, nullptr);
            ahead.start();
            EXPECT_EQ(extents_of(calls, random, left_out), expected) << location;
        };
        for (u32 i = 0; i < 12; ++i) look(1 + i % 2, nullptr);
        with_processes(*sample, 2, [&](RemoteReaders& others) {
            for (u32 i = 0; i < 12; ++i) look(1 + i % 2, &others);
        });
    }
    EXPECT_EQ(left_out != 0, GetParam() == std::string("npb-lu.S-4"));
}

INSTANTIATE_TEST_SUITE_P(Samples, CallsAheadTest,
                         ::testing::Values("npb-lu.S-4", "micro-pcoll-4", "micro-omphyb-4",
                                           "micro-rma-4", "micro-stencil2d9p-isend-4"));

}  // namespace
}  // namespace tracefold
