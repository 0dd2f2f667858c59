// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "core/parallel.hpp"

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

}  // namespace
}  // namespace tracefold
