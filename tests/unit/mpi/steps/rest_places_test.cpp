// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/steps/quiescent_cuts.hpp"

#include <random>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

Operations operations_at_rest(const std::vector<std::vector<bool>>& ranks) {
    Operations all;
    for (const std::vector<bool>& rests : ranks) {
        Operations::Rank& rank = all.ranks.emplace_back();
        for (const bool at_rest : rests) {
            rank.operations.emplace_back().at_rest = at_rest;
        }
    }
    return all;
}

TEST(RestPlacesTest, BothEndsAreRests) {
    const RestPlaces rests(operations_at_rest({{}, {false, false, false}}));
    EXPECT_EQ(rests.ranks(), 2U);
    EXPECT_EQ(rests.operations(), 3U);
    EXPECT_EQ(rests.from(0, 0), 0U);
    EXPECT_EQ(rests.up_to(0, 0), 0U);
    EXPECT_EQ(rests.from(1, 1), 3U);
    EXPECT_EQ(rests.up_to(1, 2), 0U);
    EXPECT_EQ(rests.up_to(1, 3), 3U);
}

/// Around the ends of words, with rests that are near and far.
TEST(RestPlacesTest, TheNearestOnesAreFound) {
    std::mt19937 random(7);
    for (const std::size_t count : {63U, 64U, 65U, 128U, 1000U}) {
        for (const unsigned one_in : {1U, 2U, 200U}) {
            std::vector<bool> at_rest(count);
            for (std::size_t i = 0; i < count; ++i) at_rest[i] = random() % one_in == 0;
            const RestPlaces rests(operations_at_rest({at_rest}), 2);
            const auto is_rest = [&](std::size_t place) {
                return place == 0 || place == count || at_rest[place - 1];
            };
            for (u32 place = 0; place <= count; ++place) {
                u32 next = place;
                while (!is_rest(next)) ++next;
                u32 last = place;
                while (!is_rest(last)) --last;
                ASSERT_EQ(rests.from(0, place), next) << count << ' ' << one_in << ' ' << place;
                ASSERT_EQ(rests.up_to(0, place), last) << count << ' ' << one_in << ' ' << place;
            }
        }
    }
}

}  // namespace
}  // namespace tracefold
