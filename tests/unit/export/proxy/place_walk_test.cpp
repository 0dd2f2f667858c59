// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "export/proxy/script_union.hpp"
#include "fold/folder.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

struct Folded {
    explicit Folded(const std::vector<SymbolRun>& runs) {
        Folder folder;
        for (const SymbolRun& run : runs) folder.push(run.symbol, run.count);
        folder.finish();
        pattern = folder.store(pool, counts);
        alone = ScriptUnion(shape());
    }

    [[nodiscard]] PlaceWalk walk() const {
        return {{pool.patterns(), pool.columns()}, {shape(), counts, alone.places(0)}, shape()};
    }
    [[nodiscard]] const Pattern& shape() const { return pool.patterns()[pattern]; }
    /// The item at a place.
    [[nodiscard]] u32 item(u32 place) const {
        const PlaceNumbers numbers(shape());
        BodyId body = 0;
        while (place >= numbers.first(body + 1)) ++body;
        return body_of(shape(), body)[place - numbers.first(body)];
    }

    StructurePool pool;
    std::vector<NodeCount> counts;
    u32 pattern = 0;
    ScriptUnion alone{Pattern{}};
};

TEST(PlaceWalkTest, FindsAPlaceForEveryCall) {
    std::vector<SymbolRun> runs;
    for (u64 i = 0; i < 40; ++i) {
        runs.push_back({0, 2});
        runs.push_back({1, 1 + i % 3});
    }
    runs.push_back({2, 1});
    runs.push_back({0, 5});
    const Folded folded(runs);
    PlaceWalk walk = folded.walk();
    for (const SymbolRun& run : runs) {
        for (u64 i = 0; i < run.count; ++i) {
            PlaceWalk::Step step;
            do {
                step = walk.next();
            } while (!step.is_call);
            EXPECT_EQ(folded.item(step.place), run.symbol);
            EXPECT_EQ(step.is_new, i == 0);
            EXPECT_EQ(step.count, i == 0 ? run.count : 0);
        }
    }
    EXPECT_FALSE(walk.passes_over());
    EXPECT_THROW(walk.next(), Error);
}

TEST(PlaceWalkTest, TellsOneLeafInTwoPlacesApart) {
    const Folded folded({{0, 1}, {1, 1}, {0, 1}, {2, 1}});
    PlaceWalk walk = folded.walk();
    const u32 first = walk.next().place;
    walk.next();
    const u32 second = walk.next().place;
    EXPECT_EQ(folded.item(first), folded.item(second));
    EXPECT_NE(first, second);
}

TEST(PlaceWalkTest, TellsTheTripsOfALoopWhereItIsEntered) {
    const Folded folded({{0, 1}, {1, 1}, {0, 1}, {1, 1}, {0, 1}, {1, 1}, {2, 1}});
    PlaceWalk walk = folded.walk();
    const PlaceWalk::Step loop = walk.next();
    EXPECT_FALSE(loop.is_call);
    EXPECT_EQ(loop.count, 3U);
}

}  // namespace
}  // namespace tracefold
