// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/column_families.hpp"

#include "base/error.hpp"
#include "fold/column_builder.hpp"
#include "fold/column_cursor.hpp"
#include "fold/family_columns.hpp"

#include <numeric>

#include <gtest/gtest.h>

namespace tracefold {

namespace {

u32 column_of(StructurePool& pool, const std::vector<u64>& values) {
    ColumnBuilder builder;
    for (const u64 value : values) builder.push(value);
    return builder.finish(pool);
}

/// A structure with one symbol and slot whose classes have these columns; only the first column of
/// each family is there.
Structure structure_of(const StructurePool& pool, const std::vector<u32>& columns,
                       const std::vector<ColumnFamily>& families) {
    Structure structure;
    structure.patterns = pool.patterns();
    structure.columns = pool.columns();
    Assignment assignment;
    assignment.columns = columns;
    assignment.families = families;
    for (const ColumnFamily& family : families) {
        for (u32 i = 1; i < family.size; ++i) assignment.columns[family.first + i] = kNone;
    }
    structure.slots = {{assignment}};
    return structure;
}

/// The columns of families have these values, unfolded or each at its first use.
void expect_values(const std::vector<std::vector<u64>>& wanted, const Structure& folded) {
    const FamilyColumns families(folded);
    Structure unfolded = folded;
    unfold_families(unfolded);
    const Assignment& assignment = folded.slots[0][0];
    const std::vector<u32>& columns = unfolded.slots[0][0].columns;
    ASSERT_EQ(columns.size(), wanted.size());
    EXPECT_EQ(folded.columns.size() + families.column_count(), unfolded.columns.size());
    for (std::size_t i = wanted.size(); i-- > 0;) {
        EXPECT_EQ(unwind({unfolded.patterns, unfolded.columns}, columns[i], wanted[i].size()),
                  wanted[i])
            << "class " << i;
        const u32 own = assignment.columns[i];
        const u32 column = own == kNone ? families.id(assignment, i) : own;
        EXPECT_EQ(unwind({folded.patterns, folded.columns, &families}, column, wanted[i].size()),
                  wanted[i])
            << "class " << i;
    }
    EXPECT_EQ(families.id(assignment, columns.size()), kNone);
}

TEST(ColumnFamilies, ListsThatDifferByRank) {
    StructurePool pool;
    std::vector<u32> columns;
    std::vector<std::vector<u64>> values;
    for (u64 rank = 0; rank < 100; ++rank) {
        values.push_back({1, 2, 0, 305, 313 + rank, 307, 2, 900, 11, 312, 5, rank, 2 * rank});
        columns.push_back(column_of(pool, values.back()));
    }
    const std::vector<ColumnFamily> families = find_families(pool, columns);
    ASSERT_EQ(families.size(), 1U);
    EXPECT_EQ(families[0].size, 100U);
    EXPECT_EQ(families[0].numbers.size(), 3U);
    EXPECT_EQ(families[0].numbers[0].place, 4U);
    expect_values(values, structure_of(pool, columns, families));
}

TEST(ColumnFamilies, FoldedColumnsAndOthersBetweenThem) {
    StructurePool pool;
    std::vector<u32> columns;
    std::vector<std::vector<u64>> values;
    for (u64 rank = 0; rank < 60; ++rank) {
        std::vector<u64> all;
        for (u64 i = 0; i < 40; ++i) {
            for (const u64 value : {u64{3}, 1000 + rank, u64{5}, 7 * rank})
                all.push_back(value + i);
        }
        if (rank == 30) all = {1, 2, 4};
        values.push_back(all);
        columns.push_back(column_of(pool, all));
    }
    const std::vector<ColumnFamily> families = find_families(pool, columns);
    ASSERT_EQ(families.size(), 2U);
    EXPECT_EQ(families[1].first, 31U);
    expect_values(values, structure_of(pool, columns, families));
}

TEST(ColumnFamilies, NoneWhereTheyAreNotShorter) {
    StructurePool pool;
    const std::vector<u32> few{column_of(pool, {1, 5, 3}), column_of(pool, {9, 7, 1})};
    EXPECT_TRUE(find_families(pool, few).empty());
    EXPECT_TRUE(find_families(pool, {few[0]}).empty());
    EXPECT_TRUE(find_families(pool, {}).empty());
}

TEST(ColumnFamilies, DamagedOnesAreErrors) {
    StructurePool pool;
    const u32 list = column_of(pool, {1, 5, 3});
    const u32 short_list = column_of(pool, {4, 9, 1});
    const auto unfold = [&](const ColumnFamily& family, u64 limit) {
        Structure structure = structure_of(pool, std::vector<u32>(family.size, list), {family});
        unfold_families(structure, limit);
    };
    const auto index = [&](const ColumnFamily& family) {
        const FamilyColumns columns(
            structure_of(pool, std::vector<u32>(family.size, list), {family}));
    };
    EXPECT_THROW(index({0, 2, {{3, list}}}), Error) << "a number that is not there";
    EXPECT_THROW(index({0, 5, {{0, short_list}}}), Error) << "too few values";
    EXPECT_NO_THROW(unfold({0, 2, {{0, list}}}, 100));
    EXPECT_THROW(unfold({0, 2, {{3, list}}}, 100), Error) << "a number that is not there";
    EXPECT_THROW(unfold({0, 5, {{0, short_list}}}, 100), Error) << "too few values";
    EXPECT_THROW(unfold({0, 50, {{0, list}}}, 100), Error) << "too many numbers";
}

}  // namespace

}  // namespace tracefold
