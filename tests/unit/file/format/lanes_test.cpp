// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/format/ans_coder.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace tracefold {

namespace {

/// Rising numbers below 2^15, the first 0.
template <std::size_t Size>
Lanes<Size> random_lanes(std::mt19937& random) {
    Lanes<Size> lanes;
    for (u16& lane : lanes) lane = static_cast<u16>(random() % 32768);
    lanes[0] = 0;
    std::sort(lanes.begin(), lanes.end());
    return lanes;
}

template <std::size_t Size>
void expect_portable_meaning() {
    std::mt19937 random(Size);
    for (u32 i = 0; i < 2000; ++i) {
        const Lanes<Size> from = random_lanes<Size>(random);
        const Lanes<Size> to = random_lanes<Size>(random);
        const auto weight = static_cast<i16>(i < 2 ? 32767U * i : random() % 32768U);
        EXPECT_EQ(blend(from, to, weight), portable::blend(from, to, weight));
        for (const u32 bound : {0U, 32767U, u32{from[3]}, static_cast<u32>(random() % 32768)}) {
            EXPECT_EQ(last_at_most(from, static_cast<u16>(bound)),
                      portable::last_at_most(from, static_cast<u16>(bound)));
        }
    }
}

TEST(Lanes, EveryProcessorCountsTheSame) {
    expect_portable_meaning<8>();
    expect_portable_meaning<16>();
}

TEST(Lanes, BlendRoundsDown) {
    const Lanes<8> from{0, 10, 10, 32767, 0, 1, 2, 3};
    const Lanes<8> to{0, 11, 9, 0, 32767, 1, 2, 3};
    const Lanes<8> half{0, 10, 9, 16383, 16383, 1, 2, 3};
    EXPECT_EQ(blend(from, to, 32767), half);
    EXPECT_EQ(blend(from, to, 0), from);
}

TEST(Lanes, LastAtMostCountsEqualOnes) {
    const Lanes<8> lanes{0, 0, 5, 5, 9, 100, 200, 300};
    EXPECT_EQ(last_at_most(lanes, 0), 1U);
    EXPECT_EQ(last_at_most(lanes, 5), 3U);
    EXPECT_EQ(last_at_most(lanes, 8), 3U);
    EXPECT_EQ(last_at_most(lanes, 32767), 7U);
}

}  // namespace

}  // namespace tracefold
