// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/column_builder.hpp"

#include "base/hash.hpp"
#include "support/folded_column.hpp"

#include <functional>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Form = Column::Form;

std::vector<u64> sequence(u64 size, const std::function<u64(u64)>& value) {
    std::vector<u64> values;
    for (u64 i = 0; i < size; ++i) values.push_back(value(i));
    return values;
}

void expect_exact(const std::vector<u64>& values) {
    EXPECT_EQ(FoldedColumn(values).unwound(), values) << values.size() << " values";
}

TEST(ColumnBuilderTest, GivesAConstantForNothingAndForOneValue) {
    EXPECT_EQ(FoldedColumn(std::vector<u64>{}).column(), Column{});
    const FoldedColumn one({42});
    EXPECT_EQ(one.column().form, Form::constant);
    EXPECT_EQ(one.column().start, 42U);
}

TEST(ColumnBuilderTest, CountsWhatWasPushed) {
    ColumnBuilder builder;
    for (const u64 value : {1U, 1U, 5U, 1U, 1U}) builder.push(value);
    EXPECT_EQ(builder.size(), 5U);
}

TEST(ColumnBuilderTest, FindsConstantsAndProgressions) {
    const FoldedColumn constant(std::vector<u64>(1000, 7));
    EXPECT_EQ(constant.column().form, Form::constant);
    const FoldedColumn rising(sequence(1000, [](u64 i) { return 3 + 5 * i; }));
    EXPECT_EQ(rising.column().form, Form::progression);
    EXPECT_EQ(rising.column().start, 3U);
    EXPECT_EQ(rising.column().stride, 5U);
    const FoldedColumn falling(sequence(1000, [](u64 i) { return 500 - i; }));
    EXPECT_EQ(falling.column().form, Form::progression);
    EXPECT_EQ(falling.column().stride, ~u64{0});
    EXPECT_EQ(FoldedColumn(sequence(2, [](u64 i) { return 9 * i; })).column().form,
              Form::progression);
}

TEST(ColumnBuilderTest, ProgressionsWrapAroundAt64Bits) {
    const auto values = sequence(100, [](u64 i) { return i * (u64{1} << 60U); });
    const FoldedColumn column(values);
    EXPECT_EQ(column.column().form, Form::progression);
    EXPECT_EQ(column.unwound(), values);
    expect_exact({~u64{0}, 0, 1, 2, 3, ~u64{0}, 0, 1, 2, 3, ~u64{0}});
}

TEST(ColumnBuilderTest, FindsPeriods) {
    for (const u64 size : {30U, 1000U, 7'000U, 100'003U}) {
        const auto values = sequence(size, [](u64 step) { return 64 + step % 7; });
        const FoldedColumn column(values);
        ASSERT_EQ(column.column().form, Form::periodic) << size;
        EXPECT_EQ(column.column().values, (std::vector<u64>{64, 65, 66, 67, 68, 69, 70}));
        EXPECT_EQ(column.unwound(), values);
    }
}

TEST(ColumnBuilderTest, FindsIrregularPeriods) {
    for (const u64 size : {26U * 50U, 26U * 50U + 11U, 26U * 5'000U}) {
        const auto values = sequence(size, [](u64 i) { return mix(i % 26); });
        const FoldedColumn column(values);
        ASSERT_EQ(column.column().form, Form::periodic) << size;
        EXPECT_EQ(column.column().values, std::vector<u64>(values.begin(), values.begin() + 26));
        EXPECT_EQ(column.unwound(), values);
    }
}

TEST(ColumnBuilderTest, FewRunsNeedNoPattern) {
    const auto values = sequence(3000, [](u64 i) { return i < 100 ? 5U : i < 101 ? 900U : 7U; });
    const FoldedColumn column(values);
    ASSERT_EQ(column.column().form, Form::runs);
    EXPECT_EQ(column.column().values, (std::vector<u64>{5, 100, 900, 1, 7}));
    EXPECT_EQ(column.unwound(), values);
}

TEST(ColumnBuilderTest, FoldsNestedLoopsToAPattern) {
    std::vector<u64> values;
    for (u64 i = 0; i < 100; ++i) {
        values.push_back(9000);
        for (u64 k = 0; k < 2 + mix(i) % 5; ++k) values.insert(values.end(), {17, 100, 3});
    }
    const FoldedColumn column(values);
    ASSERT_EQ(column.column().form, Form::folded);
    EXPECT_EQ(column.pattern().loops, (std::vector<std::vector<u32>>{{1, 2, 3}, {0, 4}}));
    EXPECT_EQ(column.pattern().root, std::vector<u32>{5});
    EXPECT_EQ(column.unwound(), values);
}

TEST(ColumnBuilderTest, RanksOfASubBlockAreDifferences) {
    const auto values = sequence(3 * 40, [](u64 i) { return 6 + 5 * (i / 3) + i % 3; });
    ASSERT_EQ(std::vector<u64>(values.begin(), values.begin() + 9),
              (std::vector<u64>{6, 7, 8, 11, 12, 13, 16, 17, 18}));
    const FoldedColumn column(values);
    ASSERT_EQ(column.column().form, Form::differences);
    EXPECT_EQ(column.column().start, 6U);
    EXPECT_EQ(column.pattern().leaf_count, 2U);
    EXPECT_EQ(column.pattern().loops.size(), 1U);
    EXPECT_LE(column.bytes(), 20U);
    EXPECT_EQ(column.unwound(), values);
}

TEST(ColumnBuilderTest, ShortIrregularSequencesAreLists) {
    const std::vector<u64> values{6, 1000, 3, 77, 12, 5000, 1};
    const FoldedColumn column(values);
    EXPECT_EQ(column.column().form, Form::list);
    EXPECT_EQ(column.column().values, values);
}

TEST(ColumnBuilderTest, DifferencesWinWhereValuesDoNotRepeat) {
    // Running sums of a period: no value comes twice.
    u64 sum = 0;
    const auto values = sequence(20000, [&sum](u64 i) { return sum += mix(i % 5) % 100; });
    const FoldedColumn column(values);
    ASSERT_EQ(column.column().form, Form::differences);
    EXPECT_LE(column.item_count(), 12U);
    EXPECT_EQ(column.unwound(), values);
}

TEST(ColumnBuilderTest, NoiseIsAListAtLast) {
    const auto values = sequence(10000, [](u64 i) { return mix(i + 1); });
    const FoldedColumn column(values);
    EXPECT_EQ(column.column().form, Form::list);
    EXPECT_EQ(column.column().values, values);
}

// The last run of the 4097th value was what gave folding up, and finish() looked at the engine that
// was gone.
TEST(ColumnBuilderTest, NoiseMayEndWhereFoldingIsGivenUp) {
    for (const u64 around : {4096U, 8192U}) {
        for (u64 size = around - 3; size <= around + 4; ++size) {
            expect_exact(sequence(size, [](u64 i) { return mix(i + 1); }));
            expect_exact(sequence(size, [](u64 i) { return i * i; }));
        }
    }
}

TEST(ColumnBuilderTest, NoiseAfterARegularStartStaysExact) {
    const auto values = sequence(20000, [](u64 i) { return i < 9000 ? i % 9 : mix(i); });
    expect_exact(values);
    expect_exact(sequence(20000, [](u64 i) { return i > 9000 ? i % 9 : mix(i); }));
    expect_exact(sequence(20000, [](u64 i) { return i < 9000 ? 3 * i : mix(i); }));
}

TEST(ColumnBuilderTest, AShortProgressionMayBeChance) {
    const auto values = sequence(400, [](u64 i) { return std::vector<u64>{5, 7, 9, 100}[i % 4]; });
    const FoldedColumn column(values);
    EXPECT_EQ(column.column().form, Form::periodic);
    EXPECT_EQ(column.column().values, (std::vector<u64>{5, 7, 9, 100}));
    EXPECT_EQ(column.unwound(), values);
}

// What a column says must not depend on how often its loop ran, or ranks would differ by that.
TEST(ColumnBuilderTest, PeriodsDoNotDependOnTheirNumber) {
    const auto column_of = [](u64 size) {
        return FoldedColumn(sequence(size, [](u64 i) { return mix(i % 9); })).column();
    };
    EXPECT_EQ(column_of(60), column_of(61));
    EXPECT_EQ(column_of(60), column_of(10'000));
    EXPECT_EQ(column_of(60), column_of(100'000));
}

TEST(CountColumnTest, SaysNothingAboutCountsOfOne) {
    StructurePool pool;
    CountColumn ones;
    for (int i = 0; i < 10; ++i) ones.push(1);
    EXPECT_EQ(ones.finish(pool), kNone);
    CountColumn nothing;
    EXPECT_EQ(nothing.finish(pool), kNone);
}

TEST(CountColumnTest, TakesTheLastCountBack) {
    StructurePool pool;
    CountColumn counts;
    for (const u64 count : {3U, 4U, 9U}) counts.push(count);
    EXPECT_EQ(counts.pop(), 9U);
    counts.push(5);
    const u32 column = counts.finish(pool);
    EXPECT_EQ(unwind({pool.patterns(), pool.columns()}, column, 3), (std::vector<u64>{3, 4, 5}));
}

}  // namespace
}  // namespace tracefold
