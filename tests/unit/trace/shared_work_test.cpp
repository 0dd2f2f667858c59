// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "trace/shared_work.hpp"

#include "core/error.hpp"
#include "support/sample_file.hpp"

#include <atomic>
#include <mutex>
#include <string>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

constexpr u32 kItems = 100;

TEST(SharedWorkTest, EachItemIsWorkedOnOnce) {
    SampleFile sample("micro-pcoll-4", TimingLevel::none);
    TraceFile& file = *sample;
    for (const u32 threads : {1U, 2U, 3U, 5U, 2 * kItems}) {
        std::vector<std::atomic<u32>> done(kItems);
        share_out(file, threads, kItems, [&](TraceFile& own, u32 item) {
            EXPECT_EQ(own.location_count(), file.location_count());
            ++done[item];
        });
        for (const std::atomic<u32>& times : done) EXPECT_EQ(times, 1);
    }
    share_out(file, 3, 0, [](TraceFile&, u32) { ADD_FAILURE() << "there is nothing"; });
}

TEST(SharedWorkTest, EachThreadHasAFileOfItsOwn) {
    SampleFile sample("micro-pcoll-4", TimingLevel::none);
    TraceFile& file = *sample;
    for (const u32 threads : {1U, 2U, 3U}) {
        std::mutex mutex;
        // A thread may end before the next one begins, whose file then has the same address.
        u32 with_the_file = 0;
        u32 with_another = 0;
        share_out_to(file, threads, kItems, [&](TraceFile& own) -> ItemWork {
            const std::scoped_lock lock(mutex);
            ++(&own == &file ? with_the_file : with_another);
            return [](u32) {};
        });
        EXPECT_EQ(with_the_file, 1U);
        EXPECT_EQ(with_another, threads - 1);
    }
}

/// Whichever thread has it, and whoever fails first.
TEST(SharedWorkTest, ThrowsWhatTheLowestItemThrew) {
    SampleFile sample("micro-pcoll-4", TimingLevel::none);
    for (const u32 threads : {1U, 2U, 3U, 5U}) {
        try {
            share_out(*sample, threads, kItems, [](TraceFile&, u32 item) {
                if (item >= 40) throw Error(ErrorKind::corrupt, std::to_string(item));
            });
            ADD_FAILURE() << "nothing was thrown";
        } catch (const Error& error) {
            EXPECT_STREQ(error.what(), "40");
        }
    }
}

}  // namespace
}  // namespace tracefold
