// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/column_builder.hpp"
#include "fold/column_cursor.hpp"
#include "fold/columns/canonical_structure.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// Letters in pieces that come again in an order without rule, so that folding finds loops and
/// runs, but not many.
std::vector<u64> pieces(u64 seed, u64 count, u64 factor = 1) {
    std::mt19937_64 random(seed);
    std::vector<u64> values;
    for (u64 i = 0; i < count; ++i) {
        const u64 piece = random() % 6;
        for (u64 k = 0; k <= piece; ++k) values.push_back(factor * (piece * (k % 2) + 7 * piece));
    }
    return values;
}

class IrregularColumnsTest : public ::testing::Test {
  protected:
    u32 add(const std::vector<u64>& values) {
        ColumnBuilder builder;
        for (const u64 value : values) builder.push(value);
        const u32 column = builder.finish(pool_);
        columns_.push_back(column);
        return column;
    }
    /// The columns as one argument each, of events or of definitions.
    Structure listed(bool events) {
        Structure structure;
        structure.patterns = pool_.patterns();
        structure.columns = pool_.columns();
        if (events) structure.facts = {columns_[0]};
        structure.slots.emplace_back();
        for (const u32 column : columns_) {
            structure.slots[0].emplace_back().columns.push_back(column);
        }
        structure.slots[0].back().families = families_;
        list_irregular_columns(structure);
        return structure;
    }

    StructurePool pool_;
    std::vector<u32> columns_;
    std::vector<ColumnFamily> families_;
};

TEST_F(IrregularColumnsTest, BecomeLists) {
    const std::vector<u64> values = pieces(1, 1000);
    const u32 column = add(values);
    ASSERT_TRUE(pool_.columns()[column].is_folded());
    const Structure structure = listed(true);
    EXPECT_EQ(structure.columns[column].form, Column::Form::list);
    EXPECT_EQ(structure.columns[column].values, values);
}

TEST_F(IrregularColumnsTest, LongNumbersStay) {
    const u32 column = add(pieces(1, 1000, 100'000));
    EXPECT_TRUE(listed(true).columns[column].is_folded());
}

TEST_F(IrregularColumnsTest, DifferencesToo) {
    std::vector<u64> values = pieces(3, 1000);
    for (std::size_t i = 1; i < values.size(); ++i) values[i] += values[i - 1];
    const u32 column = add(values);
    ASSERT_EQ(pool_.columns()[column].form, Column::Form::differences);
    const Structure structure = listed(true);
    const FoldedSource source{structure.patterns, structure.columns};
    EXPECT_EQ(unwind(source, column, values.size()), values);
}

TEST_F(IrregularColumnsTest, RegularOnesStay) {
    std::vector<u64> values;
    for (u64 i = 0; i < 3000; ++i) values.push_back(i % 300 < 200 ? i % 2 : i % 7);
    const u32 column = add(values);
    const Column before = pool_.columns()[column];
    ASSERT_TRUE(before.is_folded());
    EXPECT_EQ(listed(true).columns[column], before);
}

TEST_F(IrregularColumnsTest, SharedPatternsStay) {
    const u32 one = add(pieces(1, 1000));
    const u32 other = add(pieces(1, 1000, 10));
    ASSERT_EQ(pool_.columns()[one].pattern, pool_.columns()[other].pattern);
    const Structure structure = listed(true);
    EXPECT_TRUE(structure.columns[one].is_folded());
    EXPECT_TRUE(structure.columns[other].is_folded());
}

TEST_F(IrregularColumnsTest, ColumnsOfFamiliesStay) {
    const u32 column = add(pieces(1, 1000));
    families_.push_back({0, 2, {}});
    EXPECT_TRUE(listed(true).columns[column].is_folded());
}

TEST_F(IrregularColumnsTest, LongColumnsOfDefinitionsStay) {
    const u32 column = add(pieces(1, 1000));
    EXPECT_TRUE(listed(false).columns[column].is_folded());
}

TEST_F(IrregularColumnsTest, VeryLongLoopsAreNotUnwound) {
    std::vector<u64> values = pieces(1, 30);
    for (const u64 run : {u64{100'000}, u64{70'000}, u64{100'000}, u64{50'000}}) {
        for (u64 i = 0; i < run; ++i) values.push_back(i % 3 == 0 ? 4 : 5);
        values.push_back(run);
    }
    const u32 column = add(values);
    EXPECT_TRUE(listed(true).columns[column].is_folded());
}

}  // namespace
}  // namespace tracefold
