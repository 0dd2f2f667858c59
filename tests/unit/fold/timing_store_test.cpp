// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/timing_store.hpp"

#include "support/random_timing_model.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

constexpr u32 kSymbols = 6;
constexpr u32 kLocations = 9;

std::vector<Symbol> symbols() {
    std::vector<Symbol> all;
    for (u8 type = 0; type < kSymbols; ++type) {
        all.push_back({{Element{type, false, 0, 0, {}}, Element{9, false, 0, 0, {}}}});
    }
    return all;
}

/// Each location numbers the symbols in its own way.
PartialTimings part_of(u32 location) {
    std::mt19937_64 random(location);
    std::vector<ContentHash> addresses = symbol_addresses(symbols());
    std::shuffle(addresses.begin(), addresses.end(), random);
    return {addresses, random_timing_model(random, kSymbols, location)};
}

Structure structure() {
    Structure result;
    result.symbols = symbols();
    return result;
}

TEST(TimingStore, TheOrderOfLocationsDoesNotMatter) {
    std::vector<u32> order(kLocations);
    std::iota(order.begin(), order.end(), 0);
    TimingStore rising;
    for (const u32 location : order) rising.merge(part_of(location));
    std::mt19937_64 random(1);
    std::shuffle(order.begin(), order.end(), random);
    TimingStore shuffled;
    for (const u32 location : order) shuffled.merge(part_of(location));
    EXPECT_EQ(shuffled.finish(structure()), rising.finish(structure()));
}

TEST(TimingStore, TheShapeOfTheTreeDoesNotMatter) {
    TimingStore flat;
    TimingStore halves[2];
    for (u32 location = 0; location < kLocations; ++location) {
        flat.merge(part_of(location));
        halves[location % 2].merge(part_of(location));
    }
    halves[1].merge(halves[0].partial());
    EXPECT_EQ(halves[1].finish(structure()), flat.finish(structure()));
}

TEST(TimingStore, AddsUp) {
    TimingStore store;
    u64 count = 0;
    u64 sum = 0;
    for (u32 location = 0; location < kLocations; ++location) {
        const PartialTimings part = part_of(location);
        for (const TimingModel::Edge& edge : part.model.edges) {
            count += edge.durations.all.count();
            sum += edge.durations.all.sum();
        }
        store.merge(part);
    }
    const TimingModel model = store.finish(structure());
    EXPECT_EQ(model.nodes.size(), kSymbols);
    for (const TimingModel::Edge& edge : model.edges) {
        count -= edge.durations.all.count();
        sum -= edge.durations.all.sum();
    }
    EXPECT_EQ(count, 0U);
    EXPECT_EQ(sum, 0U);
}

}  // namespace
}  // namespace tracefold
