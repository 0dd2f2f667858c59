// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/timing_model.hpp"

#include <random>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using MeanRuns = std::vector<MeanRun>;

TEST(RoundedMean, IsWithinOnePartIn128) {
    std::mt19937_64 random(7);
    for (int i = 0; i < 10000; ++i) {
        const u64 mean = (random() >> 2U) >> (random() % 60);
        const u64 rounded = rounded_mean(mean);
        const u64 error = mean < rounded ? rounded - mean : mean - rounded;
        EXPECT_LE(error, mean / 128) << mean;
        EXPECT_EQ(rounded_mean(rounded), rounded);
    }
    EXPECT_EQ(rounded_mean(0), 0U);
    EXPECT_EQ(rounded_mean(127), 127U);
    EXPECT_EQ(rounded_mean(129), 130U);
}

TEST(MeanRuns, NeighboursWithOneMeanAreOneRun) {
    MeanRuns runs;
    for (u32 location = 0; location < 5; ++location) unite(runs, {{location, 1, 9}});
    unite(runs, {{5, 1, 8}});
    EXPECT_EQ(runs, (MeanRuns{{0, 5, 9}, {5, 1, 8}}));
}

TEST(MeanRuns, TheOrderOfUnionsDoesNotMatter) {
    const MeanRuns even{{0, 1, 4}, {2, 1, 4}, {4, 1, 4}, {6, 1, 5}};
    const MeanRuns odd{{1, 1, 4}, {3, 1, 7}, {5, 1, 4}};
    MeanRuns a = even;
    unite(a, odd);
    MeanRuns b = odd;
    unite(b, even);
    EXPECT_EQ(a, b);
    EXPECT_EQ(a, (MeanRuns{{0, 3, 4}, {3, 1, 7}, {4, 2, 4}, {6, 1, 5}}));
}

TEST(MeanOf, IsTheLocationsOwnOrThatOfAll) {
    Durations durations;
    durations.all.add(100);
    durations.means = {{2, 3, 50}, {9, 1, 60}};
    EXPECT_EQ(mean_of(durations, 1), 100U);
    EXPECT_EQ(mean_of(durations, 2), 50U);
    EXPECT_EQ(mean_of(durations, 4), 50U);
    EXPECT_EQ(mean_of(durations, 5), 100U);
    EXPECT_EQ(mean_of(durations, 9), 60U);
    EXPECT_EQ(mean_of(durations, 10), 100U);
}

}  // namespace
}  // namespace tracefold
