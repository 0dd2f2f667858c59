// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/parallel.hpp"

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(ParallelTest, DoesAllTheWorkAndTheFirstOnThisThread) {
    for (const std::size_t count : {0U, 1U, 2U, 7U}) {
        std::vector<std::atomic<int>> done(count);
        std::thread::id first;
        run_parallel(count, [&](std::size_t i) {
            ++done[i];
            if (i == 0) first = std::this_thread::get_id();
        });
        for (const std::atomic<int>& times : done) EXPECT_EQ(times, 1);
        if (count != 0) {
            EXPECT_EQ(first, std::this_thread::get_id());
        }
    }
}

/// All others end before it is thrown.
TEST(ParallelTest, ThrowsWhatTheLowestThrew) {
    std::atomic<int> ended = 0;
    try {
        run_parallel(5, [&ended](std::size_t i) {
            if (i >= 2) {
                ++ended;
                throw std::runtime_error(std::to_string(i));
            }
            ++ended;
        });
        ADD_FAILURE() << "no error";
    } catch (const std::runtime_error& error) {
        EXPECT_EQ(error.what(), std::string("2"));
    }
    EXPECT_EQ(ended, 5);
}

constexpr std::size_t kItems = 100;

TEST(ParallelTest, EachItemIsWorkedOnOnce) {
    for (const std::size_t threads : {std::size_t{1}, std::size_t{2}, std::size_t{5}, 2 * kItems}) {
        std::vector<std::atomic<int>> done(kItems);
        run_each(threads, kItems, [&](std::size_t item) { ++done[item]; });
        for (const std::atomic<int>& times : done) EXPECT_EQ(times, 1);
    }
    run_each(3, 0, [](std::size_t) { ADD_FAILURE() << "there is nothing"; });
}

TEST(ParallelTest, BeginsOnceInEachThread) {
    for (const std::size_t threads : {1U, 2U, 3U}) {
        std::atomic<std::size_t> begun = 0;
        std::atomic<std::size_t> done = 0;
        run_each_with(threads, kItems, [&] {
            ++begun;
            return [&done, here = std::this_thread::get_id()](std::size_t) {
                EXPECT_EQ(here, std::this_thread::get_id());
                ++done;
            };
        });
        EXPECT_EQ(begun, threads);
        EXPECT_EQ(done, kItems);
    }
}

/// Whichever thread has it, and whoever fails first.
TEST(ParallelTest, ThrowsWhatTheLowestItemThrew) {
    for (const std::size_t threads : {1U, 2U, 3U, 5U}) {
        try {
            run_each(threads, kItems, [](std::size_t item) {
                if (item >= 40) throw std::runtime_error(std::to_string(item));
            });
            ADD_FAILURE() << "nothing was thrown";
        } catch (const std::runtime_error& error) {
            EXPECT_STREQ(error.what(), "40");
        }
    }
}

TEST(ParallelTest, ItemsAreTakenInTheirOrder) {
    for (const std::size_t threads : {std::size_t{1}, std::size_t{2}, std::size_t{5}}) {
        std::vector<std::size_t> made(kItems);
        std::vector<std::size_t> taken;
        std::atomic<std::size_t> ahead = 0;
        run_each_in_order(
            threads, kItems,
            [&](std::size_t item) {
                if (item % 7 == 0) std::this_thread::yield();
                made[item] = item + 1;
                ++ahead;
            },
            [&](std::size_t item) {
                EXPECT_LE(ahead--, threads + 1);
                taken.push_back(made[item]);
            });
        ASSERT_EQ(taken.size(), kItems);
        for (std::size_t item = 0; item < kItems; ++item) EXPECT_EQ(taken[item], item + 1);
    }
}

/// Whatever is made or taken beside it.
TEST(ParallelTest, OfItemsInOrderTheLowestFailureIsThrown) {
    for (const std::size_t threads : {std::size_t{1}, std::size_t{2}, std::size_t{5}}) {
        std::atomic<std::size_t> taken = 0;
        const auto fail_from = [](std::size_t first) {
            return [first](std::size_t item) {
                if (item >= first) throw std::runtime_error(std::to_string(item));
            };
        };
        const auto count = [&taken](std::size_t /*item*/) { ++taken; };
        const auto thrown = [&](const ItemWork& make, const ItemWork& take) {
            try {
                run_each_in_order(threads, kItems, make, take);
            } catch (const std::runtime_error& error) {
                return std::string(error.what());
            }
            return std::string();
        };
        EXPECT_EQ(thrown(fail_from(20), count), "20");
        EXPECT_EQ(taken, 20U);
        EXPECT_EQ(thrown([](std::size_t /*item*/) {}, fail_from(10)), "10");
        EXPECT_EQ(thrown(fail_from(11), fail_from(10)), "10");
    }
}

}  // namespace
}  // namespace tracefold
