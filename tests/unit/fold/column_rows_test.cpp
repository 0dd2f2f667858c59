// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "fold/column_values.hpp"
#include "support/folded_column.hpp"
#include "support/random_loops.hpp"

#include <map>
#include <memory>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Sequence = std::vector<u64>;
using Row = std::vector<u64>;

Sequence repeated(const Sequence& part, u64 times) {
    Sequence all;
    for (u64 i = 0; i < times; ++i) all.insert(all.end(), part.begin(), part.end());
    return all;
}

/// Columns side by side and what is seen of them.
struct VisitedRows {
    std::map<Row, u64> counted;
    u64 passed = 0;  ///< how often the sink was called

    explicit VisitedRows(const std::vector<Sequence>& columns) {
        std::vector<std::unique_ptr<FoldedColumn>> folded;
        std::vector<ColumnCursor> cursors;
        for (const Sequence& values : columns) {
            folded.push_back(std::make_unique<FoldedColumn>(values));
            cursors.emplace_back(folded.back()->source(), folded.back()->id());
        }
        visit_rows(std::move(cursors), columns.front().size(),
                   [this](std::span<const ValueRun> runs, u64 times) {
                       ++passed;
                       for (u64 i = 0; i < runs.front().count; ++i) {
                           Row row;
                           for (const ValueRun& run : runs) {
                               row.push_back(run.start + i * run.stride);
                           }
                           counted[row] += times;
                       }
                       return true;
                   });
    }
};

std::map<Row, u64> one_by_one(const std::vector<Sequence>& columns) {
    std::map<Row, u64> counted;
    for (std::size_t i = 0; i < columns.front().size(); ++i) {
        Row row;
        for (const Sequence& values : columns) row.push_back(values[i]);
        ++counted[row];
    }
    return counted;
}

/// Peers and sizes of a time step with an inner loop whose trips change once.
std::vector<Sequence> time_steps(u64 steps) {
    std::vector<Sequence> columns(2);
    for (u64 step = 0; step < steps; ++step) {
        const u64 inner = step + 1 == steps ? 1 : 2;
        for (u64 i = 0; i < inner; ++i) {
            for (const u64 peer : {4, 2, 1, 3, 6, 5, 7}) {
                columns[0].push_back(peer);
                columns[1].push_back(peer < 4 ? 648 : 72);
            }
        }
        for (const u64 peer : {4, 2, 1}) {
            columns[0].push_back(peer);
            columns[1].push_back(8);
        }
    }
    return columns;
}

TEST(ColumnRowsTest, PeriodsOfDifferentLengthsMeet) {
    const std::vector<Sequence> columns = {repeated({1, 2, 3}, 4000), repeated({7, 8, 9, 10}, 3000),
                                           Sequence(12000, 5)};
    const VisitedRows rows(columns);
    EXPECT_EQ(rows.counted, one_by_one(columns));
    EXPECT_LE(rows.passed, 36U);
}

TEST(ColumnRowsTest, RunsAndProgressionsStayWhole) {
    Sequence sizes;
    for (u64 i = 0; i < 5000; ++i) sizes.push_back(100 + 8 * i);
    const std::vector<Sequence> columns = {Sequence(5000, 3), sizes};
    const VisitedRows rows(columns);
    EXPECT_EQ(rows.counted, one_by_one(columns));
    EXPECT_EQ(rows.passed, 1U);
}

TEST(ColumnRowsTest, CostDoesNotGrowWithTheSteps) {
    const VisitedRows few(time_steps(50));
    const VisitedRows many(time_steps(5000));
    EXPECT_EQ(few.counted, one_by_one(time_steps(50)));
    EXPECT_EQ(many.counted, one_by_one(time_steps(5000)));
    EXPECT_LE(many.passed, few.passed + 4);
}

TEST(ColumnRowsTest, LoopsOneAfterTheOtherAreBothFound) {
    std::vector<Sequence> columns;
    for (const Sequence& first : {Sequence{1, 2, 3}, Sequence{1, 2, 1, 3, 1, 4}}) {
        for (const Sequence& second : {Sequence{7, 8}, Sequence{7, 8, 7, 9, 7, 6}}) {
            Sequence values = repeated(first, 6000 / first.size());
            const Sequence rest = repeated(second, 6000 / second.size());
            values.insert(values.end(), rest.begin(), rest.end());
            columns.push_back(values);
        }
    }
    const VisitedRows rows(columns);
    EXPECT_EQ(rows.counted, one_by_one(columns));
    EXPECT_LE(rows.passed, 120U);
}

TEST(ColumnRowsTest, AnyLoopsGiveTheSameRows) {
    for (u64 seed = 1; seed <= 1000; ++seed) {
        RandomSource random(seed);
        std::vector<Sequence> columns;
        std::size_t size = 2000;
        for (int i = 0; i < 3; ++i) {
            const Sequence loops = random_loops(random, 2);
            Sequence values = repeated(loops, random.between(1, 6));
            // Sums of such loops fold as differences.
            if (random.one_in(3)) {
                for (std::size_t k = 1; k < values.size(); ++k) values[k] += values[k - 1] - 1;
            }
            size = std::min(size, values.size());
            columns.push_back(std::move(values));
        }
        for (Sequence& values : columns) values.resize(size);
        ASSERT_EQ(VisitedRows(columns).counted, one_by_one(columns)) << "seed " << seed;
    }
}

TEST(ColumnRowsTest, ColumnsThatEndAreCorrupt) {
    const FoldedColumn column({5, 1, 9, 2, 7, 7, 3});
    std::vector<ColumnCursor> cursors;
    cursors.emplace_back(column.source(), column.id());
    EXPECT_THROW(visit_rows(std::move(cursors), 8, [](auto, u64) { return true; }), Error);
}

}  // namespace
}  // namespace tracefold
