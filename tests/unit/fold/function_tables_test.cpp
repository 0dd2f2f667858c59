// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/function_tables.hpp"

#include "core/error.hpp"
#include "fold/column_builder.hpp"
#include "fold/column_families.hpp"
#include "property/random_source.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Rows = std::vector<std::vector<u64>>;

/// The cells that the ranks of a square come to in the stages of a sweep.
Rows sweeps(u64 side) {
    Rows rows;
    for (u64 rank = 0; rank < side * side; ++rank) {
        rows.emplace_back();
        for (u64 stage = 0; stage + 1 < side; ++stage) {
            rows.back().push_back(3000 + (rank % side + stage) % side +
                                  side * ((rank / side + 2 * side - rank % side - stage) % side));
        }
        for (u64 stage = 0; stage + 1 < side; ++stage) {
            rows.back().push_back(2000 + (rank % side + side - stage) % side);
        }
    }
    return rows;
}

class FunctionTablesTest : public ::testing::Test {
  protected:
    std::optional<FunctionTable> find(const Rows& rows, u64 times = 1) {
        for (const auto& row : rows) {
            ColumnBuilder builder;
            for (u64 i = 0; i < times; ++i) {
                for (const u64 value : row) builder.push(value);
            }
            columns_.push_back(builder.finish(pool_));
        }
        return find_functions(pool_, {pool_.patterns(), pool_.columns()}, columns_, kAnySize);
    }

    /// A structure with one slot that has this table, as a file has it.
    Structure structure_of(const FunctionTable& table) {
        Assignment assignment;
        assignment.table_of = pool_.intern(Column());
        assignment.tables.push_back(table);
        Structure structure;
        structure.patterns = pool_.patterns();
        structure.columns = pool_.columns();
        structure.slots = {{assignment}};
        return structure;
    }

    static void expect_same(const Rows& rows, const Structure& structure, u64 times = 1) {
        const Assignment& assignment = structure.slots[0][0];
        const FoldedSource source{structure.patterns, structure.columns};
        const std::vector<u64> classes = unwind(source, assignment.by_participant, rows.size());
        for (std::size_t p = 0; p < rows.size(); ++p) {
            std::vector<u64> expected;
            for (u64 i = 0; i < times; ++i) {
                expected.insert(expected.end(), rows[p].begin(), rows[p].end());
            }
            EXPECT_EQ(unwind(source, assignment.columns[classes[p]], expected.size()), expected);
        }
    }

    static constexpr u64 kAnySize = ~u64{0};

    StructurePool pool_;
    std::vector<u32> columns_;
};

TEST_F(FunctionTablesTest, SweepsThroughAMultiPartition) {
    u64 least = ~u64{0};
    u64 most = 0;
    for (const u64 side : {6, 8, 12, 16}) {
        const Rows rows = sweeps(side);
        columns_.clear();
        const auto table = find(rows, 5);
        ASSERT_TRUE(table) << side;
        EXPECT_TRUE(table->periodic);
        EXPECT_EQ(table->size, 2 * (side - 1));
        Structure structure = structure_of(*table);
        unfold_families(structure);
        expect_same(rows, structure, 5);
        least = std::min(least, table_size(pool_, *table));
        most = std::max(most, table_size(pool_, *table));
    }
    EXPECT_LE(most, least + 16);
}

/// Sizes of the faces that the ranks of a square send in the stages of a sweep, where the cells of
/// the first dimensions are larger.
Rows faces(u64 side) {
    const auto length = [side](u64 cell) { return cell + 1 == side ? 11U : cell < 3 ? 13U : 12U; };
    Rows rows = sweeps(side);
    for (auto& row : rows) {
        for (std::size_t k = 0; k < row.size(); ++k) {
            const u64 cell = row[k] % 1000;
            row[k] = (k + 1 < side ? 176 : 80) * length(cell % side) * length(cell / side % side);
        }
    }
    return rows;
}

TEST_F(FunctionTablesTest, SizesOfUnevenCells) {
    u64 least = ~u64{0};
    u64 most = 0;
    for (const u64 side : {8, 12, 16}) {
        const Rows rows = faces(side);
        columns_.clear();
        const auto table = find(rows, 4);
        ASSERT_TRUE(table) << side;
        EXPECT_EQ(table->lookups.size(), 2U);
        Structure structure = structure_of(*table);
        unfold_families(structure);
        expect_same(rows, structure, 4);
        least = std::min(least, table_size(pool_, *table));
        most = std::max(most, table_size(pool_, *table));
    }
    EXPECT_LE(most, least + least / 4);
}

TEST_F(FunctionTablesTest, LongTablesAreNotTaken) {
    const auto table = find(sweeps(8));
    ASSERT_TRUE(table);
    const u64 size = table_size(pool_, *table);
    const auto within = [&](u64 most) {
        return find_functions(pool_, {pool_.patterns(), pool_.columns()}, columns_, most);
    };
    EXPECT_TRUE(within(size + 1));
    EXPECT_FALSE(within(size));
}

TEST_F(FunctionTablesTest, LongRunsAreChecked) {
    const Rows rows = sweeps(8);
    const auto table = find(rows, 500);
    ASSERT_TRUE(table);
    EXPECT_EQ(table->size, rows[0].size());
    columns_.clear();
    for (const auto& row : rows) {
        ColumnBuilder builder;
        for (int i = 0; i < 500; ++i) {
            for (const u64 value : row) builder.push(value + (i == 400 ? 1 : 0));
        }
        columns_.push_back(builder.finish(pool_));
    }
    EXPECT_FALSE(find_functions(pool_, {pool_.patterns(), pool_.columns()}, columns_, kAnySize));
}

/// Long folded columns whose first numbers do not repeat are no lists of these numbers.
TEST_F(FunctionTablesTest, LongColumnsWithoutAPeriodAreNotTaken) {
    Rows rows;
    for (u64 rank = 0; rank < 16; ++rank) {
        rows.emplace_back();
        for (u64 k = 1; k < 60; ++k) {
            rows.back().push_back(rank);
            rows.back().insert(rows.back().end(), k, 7);
        }
    }
    EXPECT_FALSE(find(rows));
}

TEST_F(FunctionTablesTest, EqualParticipantsShareAColumn) {
    const auto table = find({{1, 7, 2}, {1, 8, 2}, {1, 7, 2}, {1, 8, 2}, {1, 7, 2}, {1, 8, 2}});
    ASSERT_TRUE(table);
    EXPECT_TRUE(table->periodic);
    Structure structure = structure_of(*table);
    unfold_families(structure);
    EXPECT_EQ(structure.slots[0][0].columns.size(), 2U);
}

TEST_F(FunctionTablesTest, RefoldingIsTheInverse) {
    const auto table = find(sweeps(4));
    ASSERT_TRUE(table);
    const Structure folded = structure_of(*table);
    Structure structure = folded;
    unfold_families(structure);
    EXPECT_FALSE(structure == folded);
    EXPECT_TRUE(refold_families(structure) == folded);
}

TEST_F(FunctionTablesTest, WhatIsNoFunctionIsNotTaken) {
    RandomSource random(3);
    Rows rows;
    for (int p = 0; p < 16; ++p) rows.push_back({random.any(), random.any()});
    EXPECT_FALSE(find(rows));
    columns_.clear();
    EXPECT_FALSE(find({{1, 2}, {1, 2, 3}, {4, 5}}));  // of different lengths
    columns_.clear();
    EXPECT_FALSE(find({{1, 2}}));  // one participant has no place
}

TEST_F(FunctionTablesTest, DamagedTablesAreRefused) {
    const auto table = find(sweeps(4));
    ASSERT_TRUE(table);
    const auto refused = [&](FunctionTable damaged, u64 limit) {
        Structure structure = structure_of(damaged);
        EXPECT_THROW(unfold_families(structure, limit), Error);
    };
    refused(*table, 16);  // too many numbers
    FunctionTable outside = *table;
    outside.parameters[2] = pool_.intern({Column::Form::constant, 4, 0, {}, kNone, kNone, {}});
    refused(outside, 1000);
    FunctionTable looked_up = *table;
    looked_up.lookups = {pool_.intern({Column::Form::constant, 4, 0, {}, kNone, kNone, {}})};
    looked_up.lookup_of = looked_up.lookups[0];  // there are no four
    refused(looked_up, 1000);
    FunctionTable longer = *table;
    longer.size = 1000;
    refused(longer, 100'000);
    Structure structure = structure_of(*table);
    structure.columns[structure.slots[0][0].table_of].start = 1;
    EXPECT_THROW(unfold_families(structure), Error);
}

}  // namespace
}  // namespace tracefold
