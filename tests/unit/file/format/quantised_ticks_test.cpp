// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/format/quantised_ticks.hpp"

#include "support/expect_error.hpp"

#include <algorithm>
#include <random>

namespace tracefold {
namespace {

using Deltas = std::vector<CallBatch::Delta>;

std::string encoded(const Deltas& deltas, u32 error_ppm) {
    std::string bytes;
    QuantisedEncoder encoder([&bytes](std::string_view block) { bytes += block; }, error_ppm);
    for (const CallBatch::Delta& delta : deltas) encoder.add({delta});
    encoder.finish();
    return bytes;
}

u64 distance(u64 a, u64 b) { return a < b ? b - a : a - b; }

/// Every difference is within its tolerance, and the time since the start within the largest one.
void expect_bounds(const Deltas& deltas, u32 error_ppm) {
    const std::string bytes = encoded(deltas, error_ppm);
    QuantisedDecoder decoder(bytes, error_ppm, "test");
    u64 time = 0;
    u64 kept_time = 0;
    u64 drift = 0;
    for (std::size_t i = 0; i < deltas.size(); ++i) {
        const u64 kept = decoder.next(deltas[i].group);
        time += deltas[i].ticks;
        kept_time += kept;
        if (i == 0) {
            ASSERT_EQ(kept, deltas[0].ticks);
            continue;
        }
        const u64 tolerance = decoder.precision().tolerance(deltas[i].ticks);
        drift = std::max(drift, tolerance);
        ASSERT_LE(distance(kept, deltas[i].ticks), tolerance) << "record " << i;
        ASSERT_LE(distance(time, kept_time), drift) << "record " << i;
    }
    decoder.expect_end();
}

Deltas random_deltas(u64 seed, u64 step, std::size_t count) {
    std::mt19937_64 random(seed);
    Deltas deltas{{0, random() >> 8U}};
    while (deltas.size() < count) {
        const u64 size = random() >> (24 + random() % 40);
        deltas.push_back({static_cast<u32>(random() % 20), size * step});
    }
    return deltas;
}

TEST(DeltaGrid, SmallNumbersAreKeptAsTheyAre) {
    const DeltaGrid grid({10'000, 1});
    for (u64 number = 0; number <= 100; ++number) {
        EXPECT_EQ(grid[grid.index_of(number, number)], number);
    }
    EXPECT_LT(grid.size(), 5000U);
}

TEST(DeltaGrid, MultiplesOfTheStepAreKeptAsTheyAre) {
    const DeltaGrid grid({10'000, 26});
    for (u64 number = 0; number <= 100 * 26; number += 26) {
        EXPECT_EQ(grid[grid.index_of(number, number)], number);
    }
}

TEST(DeltaGrid, EveryNumberHasANeighbourOnEitherSide) {
    std::mt19937_64 random(3);
    for (const DeltaPrecision precision :
         {DeltaPrecision{100, 1}, DeltaPrecision{10'000, 26}, DeltaPrecision{500'000, 7}}) {
        const DeltaGrid grid(precision);
        for (int i = 0; i < 5000; ++i) {
            const u64 number = (random() >> 3U) >> (random() % 60);
            const u64 slack = precision.tolerance(number);
            const u64 above = grid[grid.index_of(number, number + slack)];
            const u64 below = grid[grid.index_of(number, 0)];
            EXPECT_GE(above, number);
            EXPECT_LE(above - number, slack);
            EXPECT_LE(below, number);
            EXPECT_LE(number - below, slack);
        }
    }
}

TEST(QuantisedTicks, StayWithinTheirBounds) {
    for (const u32 error_ppm : {100U, 10'000U, 100'000U, 500'000U}) {
        expect_bounds(random_deltas(error_ppm, 1, 3000), error_ppm);
        expect_bounds(random_deltas(error_ppm + 1, 26, 3000), error_ppm);
    }
    expect_bounds({{0, ~u64{0} >> 1U}}, 10'000);
}

TEST(QuantisedTicks, StayWithinTheirBoundsWhereTheClockStumbles) {
    Deltas deltas = random_deltas(9, 26, 3000);
    for (std::size_t i = 50; i < deltas.size(); i += 97) deltas[i].ticks += 13;
    expect_bounds(deltas, 10'000);
    // Off the grid again and again in the same direction.
    Deltas same = random_deltas(10, 26, 200);
    for (int i = 0; i < 5; ++i) same.push_back({1, 26 + 10});
    expect_bounds(same, 10'000);
}

TEST(QuantisedTicks, LongTracesDecideOnTheStepOnce) {
    expect_bounds(random_deltas(11, 4, 70'000), 10'000);
}

TEST(QuantisedTicks, NothingIsNothing) {
    EXPECT_EQ(encoded({}, 10'000), "");
    QuantisedDecoder("", 10'000, "test").expect_end();
}

TEST(QuantisedTicks, DamageIsNoticed) {
    expect_error(ErrorKind::corrupt, "step of the clock",
                 [] { QuantisedDecoder(std::string_view("\0", 1), 10'000, "test"); });
}

}  // namespace
}  // namespace tracefold
