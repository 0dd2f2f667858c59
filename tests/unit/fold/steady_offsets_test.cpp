// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/columns/function_tables.hpp"
#include "support/random_source.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

int changes_of(const std::vector<i64>& offsets) {
    int changes = 0;
    for (std::size_t k = 2; k < offsets.size(); ++k) {
        if (offsets[k] - offsets[k - 1] != offsets[k - 1] - offsets[k - 2]) ++changes;
    }
    return changes;
}

TEST(SteadyOffsetsTest, WhatGoesBeyondTheBorderGoesOn) {
    std::vector<i64> falling = {2, 1, 0, 6, 5};
    make_steady(falling, 7);
    EXPECT_EQ(falling, (std::vector<i64>{2, 1, 0, -1, -2}));
    std::vector<i64> rising = {5, 6, 0, 1};
    make_steady(rising, 7);
    EXPECT_EQ(rising, (std::vector<i64>{-2, -1, 0, 1}));
    std::vector<i64> near = {6, 5, 4};
    make_steady(near, 7);
    EXPECT_EQ(near, (std::vector<i64>{-1, -2, -3}));
}

/// The offsets stay the same modulo the size, and of all choices none has fewer changes.
TEST(SteadyOffsetsTest, NoChoiceIsSteadier) {
    RandomSource random(14);
    for (int round = 0; round < 500; ++round) {
        const auto size = static_cast<u32>(random.between(2, 9));
        std::vector<i64> offsets;
        for (u64 left = random.below(9); left > 0; --left) {
            const bool goes_on = !offsets.empty() && !random.one_in(4);
            offsets.push_back(goes_on ? (offsets.back() + 1) % size
                                      : static_cast<i64>(random.below(size)));
        }
        std::vector<i64> steady = offsets;
        make_steady(steady, size);
        ASSERT_EQ(steady.size(), offsets.size());
        int least = changes_of(offsets);
        for (u32 choice = 0; choice < 1U << offsets.size(); ++choice) {
            std::vector<i64> other = offsets;
            bool allowed = true;
            for (std::size_t k = 0; k < other.size(); ++k) {
                if ((choice >> k & 1U) == 0) continue;
                allowed = allowed && other[k] != 0;
                other[k] -= size;
            }
            if (allowed) least = std::min(least, changes_of(other));
        }
        EXPECT_EQ(changes_of(steady), least);
        for (std::size_t k = 0; k < offsets.size(); ++k) {
            EXPECT_EQ((steady[k] + size) % size, offsets[k]);
            EXPECT_GT(steady[k], -i64{size});
        }
    }
}

}  // namespace
}  // namespace tracefold
