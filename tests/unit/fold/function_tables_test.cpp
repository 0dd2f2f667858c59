// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/columns/function_tables.hpp"

#include "base/error.hpp"
#include "fold/column_builder.hpp"
#include "fold/column_families.hpp"
#include "support/random_source.hpp"

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
    std::optional<FunctionTable> find(const Rows& rows, u64 times = 1,
                                      NumberKind kind = NumberKind::plain) {
        for (const auto& row : rows) {
            ColumnBuilder builder;
            for (u64 i = 0; i < times; ++i) {
                for (const u64 value : row) builder.push(value);
            }
            columns_.push_back(builder.finish(pool_));
        }
        const std::vector<FunctionTable> found =
            find_functions(pool_, {pool_.patterns(), pool_.columns()}, columns_, kind, kAnySize);
        if (found.empty()) return std::nullopt;
        return found.front();
    }

    /// A structure with one slot that has this table, as a file has it.
    Structure structure_of(const FunctionTable& table) {
        Assignment assignment;
        assignment.functions = table;
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
        return find_functions(pool_, {pool_.patterns(), pool_.columns()}, columns_,
                              NumberKind::plain, most);
    };
    EXPECT_FALSE(within(size + 1).empty());
    EXPECT_TRUE(within(size).empty());
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
    EXPECT_TRUE(find_functions(pool_, {pool_.patterns(), pool_.columns()}, columns_,
                               NumberKind::plain, kAnySize)
                    .empty());
}

/// Long folded columns whose first numbers do not repeat are no lists of these numbers.
TEST_F(FunctionTablesTest, LongColumnsWithoutAPeriodAreNotTaken) {
    Rows rows;
    for (u64 rank = 0; rank < 16; ++rank) {
        rows.emplace_back();
        for (u64 k = 1; k < 120; ++k) {
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
    EXPECT_FALSE(find({{1, 2}, {1, 2, 3}, {4, 5}}));  // as many groups as participants
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
    FunctionTable unknown = *table;
    unknown.function_of = pool_.intern({Column::Form::constant, 99, 0, {}, kNone, kNone, {}});
    refused(unknown, 1000);
    FunctionTable nowhere = *table;
    nowhere.presence = pool_.intern({Column::Form::constant, 2, 0, {}, kNone, kNone, {}});
    refused(nowhere, 1000);  // there is no such column
    nowhere.presences = {pool_.intern(Column())};
    refused(nowhere, 1000);  // participants are in no group
    nowhere.group_of = pool_.intern(Column());
    refused(nowhere, 1000);  // nobody has a number
}

/// Each place has the neighbours that exist, places being numbered as bisection in turn does it.
Rows neighbours(const DigitGrid& grid) {
    Rows rows;
    for (u64 p = 0; p < grid.participants(); ++p) {
        rows.emplace_back();
        for (int k = 0; k < 27; ++k) {
            u64 place = 0;
            bool exists = k != 13;
            for (u32 d = 0, rest = static_cast<u32>(k); d < 3; ++d, rest /= 3) {
                const i64 x = i64{grid.coordinate(d, p)} + i64{rest % 3} - 1;
                exists = exists && x >= 0 && x < i64{grid.sizes()[d]};
                if (exists) place += grid.weight(d, static_cast<u32>(x));
            }
            if (exists) rows.back().push_back(place);
        }
    }
    return rows;
}

/// No two of 27 ranks lack the same neighbours.
TEST_F(FunctionTablesTest, RanksThatAllDifferShareASequence) {
    const DigitGrid grid(RankGrid({3, 3, 3}));
    const Rows rows = neighbours(grid);
    const auto table = find(rows, 3, NumberKind::places);
    ASSERT_TRUE(table);
    EXPECT_EQ(table->grid, grid.digits());
    EXPECT_EQ(table->function_count, 26U);
    Structure structure = structure_of(*table);
    unfold_families(structure);
    expect_same(rows, structure, 3);
}

/// As many numbers as a sequence of neighbours has, but hardly any that two ranks share.
TEST_F(FunctionTablesTest, RanksWithoutAnythingInCommonKeepTheirColumns) {
    RandomSource random(11);
    Rows rows(27);
    for (auto& row : rows) {
        for (int k = 0; k < 26; ++k) row.push_back(random.below(5000));
    }
    EXPECT_FALSE(find(rows, 3));
}

TEST_F(FunctionTablesTest, NeighboursThatExistAreOneSequence) {
    u64 least = ~u64{0};
    u64 most = 0;
    for (const u32 cuts : {2U, 3U}) {
        std::vector<DigitGrid::Digit> digits;
        for (u32 i = 0; i < 3 * cuts; ++i) digits.push_back({2, i % 3});
        const Rows rows = neighbours(DigitGrid(digits));
        columns_.clear();
        const auto table = find(rows, 3, NumberKind::places);
        ASSERT_TRUE(table);
        EXPECT_EQ(table->grid, digits);
        EXPECT_EQ(table->function_count, 26U);
        EXPECT_TRUE(table->presences.empty());
        Structure structure = structure_of(*table);
        unfold_families(structure);
        expect_same(rows, structure, 3);
        least = std::min(least, table_size(pool_, *table));
        most = std::max(most, table_size(pool_, *table));
    }
    EXPECT_LE(most, least + 16);
}

constexpr u64 kTorus = 8;

/// On a torus, ranks of even coordinates have one more exchange, over twice the distance, and
/// others a smaller one.
void exchange_levels(Rows& partners, Rows& sizes) {
    constexpr u64 kSide = kTorus;
    for (u64 rank = 0; rank < kSide * kSide; ++rank) {
        const u64 x = rank % kSide;
        const u64 y = rank / kSide;
        partners.emplace_back();
        sizes.emplace_back();
        const auto exchange = [&](u64 distance, u64 size) {
            for (const u64 step : {distance, kSide - distance}) {
                partners.back().push_back((x + step) % kSide + kSide * y);
                partners.back().push_back(x + kSide * ((y + step) % kSide));
                sizes.back().insert(sizes.back().end(), {size, size + 8});
            }
        };
        for (int cycle = 0; cycle < 3; ++cycle) {
            exchange(1, 512);
            if (x % 2 == 0 && y % 2 == 0) exchange(2, 64);
            if (x % 2 == 1) exchange(1, 8);
            exchange(1, 512);
        }
        partners.back().push_back(rank);
        sizes.back().push_back(7);
    }
}

TEST_F(FunctionTablesTest, LevelsInWhichSomeTakePart) {
    Rows partners;
    Rows sizes;
    exchange_levels(partners, sizes);
    const auto table = find(partners, 1, NumberKind::places);
    ASSERT_TRUE(table);
    EXPECT_LE(table->presences.size(), 3U);
    Structure structure = structure_of(*table);
    unfold_families(structure);
    expect_same(partners, structure);
    columns_.clear();
    const auto plain = find(sizes);
    ASSERT_TRUE(plain);
    structure = structure_of(*plain);
    unfold_families(structure);
    expect_same(sizes, structure);
}

TEST_F(FunctionTablesTest, ArgumentsThatComeTogetherShareWhoHasThem) {
    std::vector<Rows> rows(3);
    exchange_levels(rows[0], rows[1]);
    for (const auto& own : rows[0]) {  // runs, of which the last one has no end
        rows[2].emplace_back(own.size(), 3);
        rows[2].back()[0] = own.size();
    }
    std::vector<TogetherArgument> arguments;
    for (std::size_t a = 0; a < rows.size(); ++a) {
        columns_.clear();
        find(rows[a]);  // puts them into columns
        arguments.push_back({a == 0 ? NumberKind::places : NumberKind::plain, columns_});
    }
    const auto together = [&] {
        return find_functions_together(pool_, {pool_.patterns(), pool_.columns()}, arguments);
    };
    const std::vector<FunctionTable> tables = together();
    ASSERT_EQ(tables.size(), 3U);
    EXPECT_LE(tables[0].presences.size(), 4U);  // the first items differ by how many there are
    for (std::size_t a = 0; a < rows.size(); ++a) {
        EXPECT_EQ(tables[a].presence, tables[0].presence);
        EXPECT_EQ(tables[a].presences, tables[0].presences);
        EXPECT_EQ(tables[a].group_of, tables[0].group_of);
        Structure structure = structure_of(tables[a]);
        unfold_families(structure);
        expect_same(rows[a], structure);
    }
}

/// Whatever is found gives every participant its numbers.
TEST_F(FunctionTablesTest, WhatIsFoundIsWhatWasThere) {
    RandomSource random(20);
    int found = 0;
    for (int round = 0; round < 300; ++round) {
        const u64 participants = 4 + random.below(60);
        const u64 groups = 1 + random.below(4);
        const u64 length = 1 + random.below(20);
        Rows rows;
        for (u64 p = 0; p < participants; ++p) {
            rows.emplace_back();
            for (u64 k = 0; k < length; ++k) {
                if ((k + p % groups) % 5 == 4) continue;
                const u64 step = k % 3 + (random.below(400) == 0 ? 1 : 0);
                rows.back().push_back((p + step) % participants);
            }
            if (rows.back().empty()) rows.back().push_back(p);
        }
        columns_.clear();
        for (const NumberKind kind : {NumberKind::plain, NumberKind::places}) {
            const auto table = find(rows, 1, kind);
            columns_.clear();
            if (!table) continue;
            ++found;
            Structure structure = structure_of(*table);
            unfold_families(structure);
            expect_same(rows, structure);
            EXPECT_TRUE(refold_families(structure) == structure_of(*table));
        }
    }
    EXPECT_GT(found, 100);
}

}  // namespace
}  // namespace tracefold
