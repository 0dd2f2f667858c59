// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/column_values.hpp"

#include "base/error.hpp"
#include "support/folded_column.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

std::vector<u64> visited(const FoldedColumn& folded, u64 size) {
    std::vector<u64> values;
    ColumnValues(folded.source()).visit(folded.id(), size, [&values](const ValueRun& run) {
        for (u64 i = 0; i < run.count; ++i) values.push_back(run.start + i * run.stride);
    });
    std::sort(values.begin(), values.end());
    return values;
}

void expect_same_numbers(std::vector<u64> values) {
    const FoldedColumn folded(values);
    EXPECT_EQ(ColumnValues(folded.source()).sum(folded.id(), values.size()),
              std::accumulate(values.begin(), values.end(), u64{0}));
    const std::vector<u64> seen = visited(folded, values.size());
    std::sort(values.begin(), values.end());
    EXPECT_EQ(seen, values);
}

std::vector<u64> repeat(const std::vector<u64>& part, int times) {
    std::vector<u64> all;
    for (int i = 0; i < times; ++i) all.insert(all.end(), part.begin(), part.end());
    return all;
}

/// Folds into loops, but has no period.
std::vector<u64> loops() {
    std::vector<u64> values;
    for (u64 i = 0; i < 60; ++i) {
        for (u64 k = 0; k <= i * i % 7; ++k) values.insert(values.end(), {8, 3});
        values.push_back(5);
    }
    return values;
}

TEST(ValueRunTest, SumsOfFallingAndOddRuns) {
    EXPECT_EQ((ValueRun{10, ~u64{0}, 4}.sum()), 10U + 9 + 8 + 7);
    EXPECT_EQ((ValueRun{1, 2, 5}.sum()), 25U);
    EXPECT_EQ((ValueRun{7, 0, 0}.sum()), 0U);
}

TEST(ValueRunTest, OccurrencesOfANumber) {
    EXPECT_EQ((ValueRun{7, 0, 5}.occurrences(7)), 5U);
    EXPECT_EQ((ValueRun{7, 0, 5}.occurrences(8)), 0U);
    EXPECT_EQ((ValueRun{10, 5, 3}.occurrences(20)), 1U);
    EXPECT_EQ((ValueRun{10, 5, 3}.occurrences(25)), 0U);
    EXPECT_EQ((ValueRun{10, 5, 3}.occurrences(12)), 0U);
    EXPECT_EQ((ValueRun{10, ~u64{0}, 3}.occurrences(8)), 1U);
    EXPECT_EQ((ValueRun{10, ~u64{0}, 3}.occurrences(11)), 0U);
}

TEST(ColumnValuesTest, EveryFormOfAColumn) {
    expect_same_numbers({4, 4, 4, 4});
    expect_same_numbers({4, 6, 8, 10});
    expect_same_numbers({9, 2, 77});
    expect_same_numbers(repeat({1, 1, 1, 4, 4, 9}, 40));
    expect_same_numbers(repeat({0, 3, 4, 7}, 30));
    expect_same_numbers(loops());
    std::vector<u64> rising;
    for (u64 i = 0; i < 300; ++i) rising.push_back(rising.empty() ? 5 : rising.back() + 1 + i % 3);
    expect_same_numbers(rising);
}

TEST(ColumnValuesTest, RandomNestsOfLoops) {
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        std::vector<u64> values;
        for (int level = 0; level < 4; ++level) {
            for (u32 i = random() % 4; i > 0; --i) values.push_back(random() % 5);
            values = repeat(values, 1 + static_cast<int>(random() % 6));
        }
        if (!values.empty()) expect_same_numbers(values);
    }
}

TEST(ColumnValuesTest, ValuesComeByFirstAppearance) {
    const std::vector<u64> values = loops();
    const FoldedColumn folded(values);
    ASSERT_TRUE(folded.column().is_folded());
    std::vector<u64> order;
    ColumnValues(folded.source()).visit(folded.id(), values.size(), [&order](const ValueRun& run) {
        order.push_back(run.start);
    });
    EXPECT_EQ(order, (std::vector<u64>{8, 3, 5}));
}

TEST(ColumnValuesTest, AnotherSizeThanTheScriptSaysIsDamage) {
    for (const std::vector<u64>& values : {loops(), std::vector<u64>{9, 2, 77}}) {
        const FoldedColumn folded(values);
        EXPECT_THROW((void)visited(folded, values.size() + 1), Error);
    }
}

TEST(ValueRunTest, CountsAddUpAsTheyAre) {
    EXPECT_EQ((ValueRun{3, 0, 4}.total(12)), 12U);
    EXPECT_EQ((ValueRun{4, ~u64{0}, 4}.total(10)), 4U + 3 + 2 + 1);
    EXPECT_EQ((ValueRun{0, 0, 0}.total(0)), 0U);
    EXPECT_FALSE((ValueRun{3, 0, 4}.total(11)));
    EXPECT_FALSE((ValueRun{0, 0, 1}.total(10)));
    EXPECT_FALSE((ValueRun{4, ~u64{0}, 5}.total(100)));        // the last one is 0
    EXPECT_FALSE((ValueRun{u64{1} << 63U, 0, 2}.total(100)));  // 0 modulo 2^64
    EXPECT_FALSE((ValueRun{1, u64{1} << 63U, 3}.total(100)));  // 1 at both ends
}

TEST(ColumnValuesTest, CountsThatWrapAroundAreDamage) {
    const FoldedColumn folded({u64{1} << 63U, (u64{1} << 63U) + 1, 7});
    EXPECT_THROW((void)ColumnValues(folded.source()).total_count(folded.id(), 3, 1000), Error);
    const FoldedColumn sound(loops());
    ColumnValues values(sound.source());
    const u64 size = loops().size();
    const u64 sum = values.sum(sound.id(), size);
    EXPECT_EQ(values.total_count(sound.id(), size, sum), sum);
    EXPECT_THROW((void)values.total_count(sound.id(), size, sum - 1), Error);
}

TEST(ColumnValuesTest, ExecutionsAboveTheLimitAreDamage) {
    const Pattern pattern{1, {{0}}, {1}};
    const auto total = [](u32 node, u64 visits) { return node == 1 ? u64{1} << 60U : visits; };
    EXPECT_THROW((void)ColumnValues::executions(pattern, total, 1000), Error);
    const auto ten = [](u32 node, u64 visits) { return node == 1 ? 10 * visits : visits; };
    std::vector<u64> visits;
    EXPECT_EQ(ColumnValues::executions(pattern, ten, 1000, &visits), (std::vector<u64>{10, 10}));
    EXPECT_EQ(visits, (std::vector<u64>{10, 1}));
}

}  // namespace
}  // namespace tracefold
