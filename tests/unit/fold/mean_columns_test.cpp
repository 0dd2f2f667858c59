// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "fold/column_builder.hpp"
#include "fold/column_cursor.hpp"
#include "fold/timing_store.hpp"

#include <functional>
#include <random>

#include <gtest/gtest.h>

namespace tracefold {

namespace {

constexpr u64 kNoLimit = ~u64{0};

/// A structure whose locations have these facts.
Structure structure_of(u32 location_count, const std::function<u64(u32)>& fact) {
    StructurePool pool;
    ColumnBuilder builder;
    for (u32 i = 0; i < location_count; ++i) builder.push(fact(i));
    Structure structure;
    structure.facts = {builder.finish(pool)};
    structure.patterns = pool.patterns();
    structure.columns = pool.columns();
    structure.location_count = location_count;
    return structure;
}

/// A node and an edge with one duration per location; 0 is none.
TimingModel model_of(u32 location_count, const std::function<u64(u32)>& duration) {
    TimingModel model;
    model.nodes.resize(1);
    model.edges.resize(1);
    for (Durations* durations : {&model.nodes[0].durations, &model.edges[0].durations}) {
        for (u32 i = 0; i < location_count; ++i) {
            const u64 value = duration(i);
            if (value == 0) continue;
            durations->all.add(value);
            unite(durations->means, {{i, 1, rounded_mean(value)}});
        }
    }
    return model;
}

void expect_back(const TimingModel& model, const Structure& structure) {
    const FoldedDurations folded = fold_means(model, structure);
    EXPECT_EQ(unfold_means(folded, structure.location_count, kNoLimit), model);
}

u64 place_in_grid(u32 location) {
    constexpr u32 kWidth = 10;
    const auto borders = [](u32 at) { return at == 0 || at == kWidth - 1 ? 1U : 0U; };
    return borders(location % kWidth) + borders(location / kWidth);
}

TEST(MeanColumns, MeansOfAnyKindComeBack) {
    const Structure structure = structure_of(100, place_in_grid);
    std::mt19937_64 random(1);
    expect_back({}, structure);
    expect_back(model_of(100, [](u32) { return 7; }), structure);
    expect_back(model_of(100, [](u32 i) { return i == 50 ? 1000 : 0; }), structure);
    expect_back(model_of(100, [](u32 i) { return 1000 + 500 * place_in_grid(i); }), structure);
    expect_back(model_of(100, [&random](u32) { return random() % 3 * (random() >> 30U); }),
                structure);
    expect_back(model_of(100, [](u32 i) { return i % 2 == 0 ? 1 : ~u64{0} >> 8U; }), structure);
}

TEST(MeanColumns, MeansOfLikeRanksAreLikeTheStructuresColumns) {
    const Structure structure = structure_of(100, place_in_grid);
    ASSERT_TRUE(structure.columns[structure.facts[0]].is_folded());
    const FoldedDurations folded =
        fold_means(model_of(100, [](u32 i) { return 1000 + 500 * place_in_grid(i); }), structure);
    const Column& means = folded.means.columns[folded.means.of[0]];
    EXPECT_EQ(means.pattern, structure.columns[structure.facts[0]].pattern);
    EXPECT_EQ(folded.means.of[0], folded.means.of[1]);
}

/// Five steps of one height, then five of another one.
u64 stairs(u32 location, u64 low, u64 high) {
    const u64 tens = location / 10;
    const u64 rest = location % 10;
    return tens * 5 * (low + high) + std::min<u64>(rest, 5) * low +
           (rest - std::min<u64>(rest, 5)) * high;
}

TEST(MeanColumns, MeansAreLikeDifferencesToo) {
    const Structure structure = structure_of(200, [](u32 i) { return stairs(i, 1, 40); });
    ASSERT_EQ(structure.columns[structure.facts[0]].form, Column::Form::differences);
    const TimingModel model =
        model_of(200, [](u32 i) { return mean_at(static_cast<u32>(100 + stairs(i, 2, 9))); });
    const FoldedDurations folded = fold_means(model, structure);
    EXPECT_EQ(folded.means.columns[folded.means.of[0]].pattern,
              structure.columns[structure.facts[0]].pattern);
    expect_back(model, structure);
}

TEST(MeanColumns, StructureKeepsItsNumbers) {
    const Structure structure = structure_of(100, place_in_grid);
    const FoldedDurations folded =
        fold_means(model_of(100, [](u32 i) { return i + 1; }), structure);
    ASSERT_EQ(folded.means.known_columns, structure.columns.size());
    ASSERT_EQ(folded.means.known_patterns, structure.patterns.size());
    EXPECT_TRUE(std::equal(structure.columns.begin(), structure.columns.end(),
                           folded.means.columns.begin()));
}

TEST(MeanColumns, WhatIsNoMeanIsRefused) {
    FoldedDurations folded{model_of(3, [](u32) { return 100; }), {}};
    for (Durations* durations :
         {&folded.model.nodes[0].durations, &folded.model.edges[0].durations})
        durations->means.clear();
    const auto unfold = [&folded](u64 value, u64 limit) {
        Column column;
        column.start = value;
        folded.means.columns = {column};
        folded.means.of = {0, 0};
        return unfold_means(folded, 3, limit);
    };
    EXPECT_EQ(unfold(0, 4).nodes[0].durations.means[0].mean, 100U);
    EXPECT_EQ(unfold(static_cast<u64>(-100), 4).edges[0].durations.means[0].mean, 0U);
    EXPECT_THROW(unfold(static_cast<u64>(-101), 4), Error);
    EXPECT_THROW(unfold(kMeanPlaces - 1, 4), Error);
    EXPECT_THROW(unfold(kMeanPlaces + 1, 4), Error);
    EXPECT_THROW(unfold(u64{1} << 63U, 4), Error);
    EXPECT_THROW(unfold(0, 2), Error);
}

}  // namespace

}  // namespace tracefold
