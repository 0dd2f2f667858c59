// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "fold/column_cursor.hpp"
#include "fold/columns/column_size.hpp"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// Patterns and columns written by hand.
struct Source {
    std::vector<Pattern> patterns;
    std::vector<Column> columns;

    [[nodiscard]] FoldedSource get() const { return {patterns, columns}; }

    u32 constant(u64 value) {
        return add({Column::Form::constant, value, 0, {}, kNone, kNone, {}});
    }
    u32 list(std::vector<u64> values) {
        return add({Column::Form::list, 0, 0, std::move(values), kNone, kNone, {}});
    }
    u32 values(Column::Form form, std::vector<u64> all) {
        return add({form, 0, 0, std::move(all), kNone, kNone, {}});
    }
    u32 folded(Column::Form form, u64 start, u32 alphabet, std::vector<NodeCount> counts) {
        return add({form, start, 0, {}, 0, alphabet, std::move(counts)});
    }

  private:
    u32 add(Column column) {
        columns.push_back(std::move(column));
        return static_cast<u32>(columns.size() - 1);
    }
};

template <class Action>
void expect_corrupt(const Action& action) {
    try {
        action();
        ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::corrupt) << error.what();
    }
}

/// 10 10 20 10 10 20: a loop of two trips over two leaves, the first of them twice.
Source two_trips() {
    Source source;
    source.patterns.push_back({2, {{0, 1}}, {2}});
    const u32 alphabet = source.list({10, 20});
    const u32 twice = source.constant(2);
    source.folded(Column::Form::folded, 0, alphabet, {{0, twice}, {2, twice}});
    return source;
}

TEST(ColumnCursorTest, ALoopAroundOneLeafIsOneRun) {
    Source source;
    source.patterns.push_back({1, {{0}}, {1}});
    const u32 alphabet = source.list({10});
    const u32 thousand = source.constant(1000);
    const u32 same =
        source.folded(Column::Form::folded, 0, alphabet, {{0, source.constant(3)}, {1, thousand}});
    const u32 different =
        source.folded(Column::Form::folded, 0, alphabet, {{0, source.list({3, 4})}, {1, thousand}});
    ColumnCursor whole(source.get(), same);
    EXPECT_EQ(whole.run_size(), 3000U);
    EXPECT_EQ(whole.take_run(3000), (ValueRun{10, 0, 3000}));
    ColumnCursor parts(source.get(), different);
    EXPECT_EQ(parts.run_size(), 3U);
    EXPECT_EQ(parts.take_run(3), (ValueRun{10, 0, 3}));
    EXPECT_EQ(parts.run_size(), 4U);
}

TEST(ColumnCursorTest, LeavesStandForTheirNumbers) {
    const Source source = two_trips();
    PatternCursor pattern(source.patterns[0]);
    pattern.add_counts(2, ColumnCursor::constant(2));
    ColumnCursor leaves = ColumnCursor::of_leaves(std::move(pattern));
    EXPECT_EQ(leaves.node_count(), 3U);
    EXPECT_EQ(leaves.next(), 0U);
    EXPECT_EQ(leaves.turn().node, kNone);
    EXPECT_EQ(leaves.next(), 1U);
    EXPECT_EQ(leaves.turn().node, 2U);
    EXPECT_EQ(leaves.turn().depth, 1U);
    EXPECT_EQ(leaves.next(), 0U);
    EXPECT_EQ(leaves.next(), 1U);
    EXPECT_EQ(leaves.turn().node, kNone);
    expect_corrupt([&leaves] { leaves.next(); });
}

TEST(ColumnCursorTest, WalksAFoldedColumn) {
    const Source source = two_trips();
    EXPECT_EQ(unwind(source.get(), 2, 6), (std::vector<u64>{10, 10, 20, 10, 10, 20}));
}

TEST(ColumnCursorTest, WalksDifferences) {
    Source source = two_trips();
    source.columns[2].form = Column::Form::differences;
    source.columns[2].start = 5;
    EXPECT_EQ(unwind(source.get(), 2, 7), (std::vector<u64>{5, 15, 25, 45, 55, 65, 85}));
}

TEST(PatternCursorTest, IterationsOfALoopCountOnWhenItIsEnteredAgain) {
    Source source;
    // Twice three iterations and one of a loop over leaf 0, each time followed by leaf 1.
    source.patterns.push_back({2, {{0}, {2, 1}}, {3, 0}});
    const u32 trips = source.list({3, 1});
    PatternCursor cursor(source.get(), 0, {{2, trips}, {3, source.constant(2)}});
    cursor.follow(2);
    std::vector<std::optional<u64>> iterations;
    for (PatternCursor::Run run{}; cursor.next(run);) iterations.push_back(cursor.iteration());
    EXPECT_EQ(iterations, (std::vector<std::optional<u64>>{0, 1, 2, std::nullopt, 3, std::nullopt,
                                                           std::nullopt}));
}

TEST(ColumnCursorTest, ConstantsNeverEnd) {
    ColumnCursor cursor = ColumnCursor::constant(9);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(cursor.next(), 9U);
}

TEST(ColumnCursorTest, PeriodsAndLastRunsNeverEnd) {
    Source source;
    const u32 periodic = source.values(Column::Form::periodic, {4, 9});
    EXPECT_EQ(unwind(source.get(), periodic, 5), (std::vector<u64>{4, 9, 4, 9, 4}));
    const u32 runs = source.values(Column::Form::runs, {4, 2, 9, 1, 6});
    EXPECT_EQ(unwind(source.get(), runs, 7), (std::vector<u64>{4, 4, 9, 6, 6, 6, 6}));
}

TEST(ColumnCursorTest, ThrowsWhereAColumnEndsTooEarly) {
    Source source = two_trips();
    const u32 list = source.list({1, 2});
    expect_corrupt([&] { unwind(source.get(), 2, 7); });
    expect_corrupt([&] { unwind(source.get(), list, 3); });
    source.columns[2].form = Column::Form::differences;
    expect_corrupt([&] { unwind(source.get(), 2, 8); });
}

TEST(ColumnCursorTest, StaysAtItsEnd) {
    const Source source = two_trips();
    ColumnCursor cursor(source.get(), 2);
    for (int i = 0; i < 6; ++i) cursor.next();
    for (int i = 0; i < 3; ++i) expect_corrupt([&] { cursor.next(); });
}

TEST(ColumnCursorTest, ThrowsWhereAnAlphabetIsTooShort) {
    Source source = two_trips();
    source.columns[0].values.pop_back();
    expect_corrupt([&] { unwind(source.get(), 2, 1); });
}

TEST(PatternCursorTest, WalksRunsAndTellsTheDepth) {
    const Source source = two_trips();
    PatternCursor cursor(source.get(), 0, source.columns[2].counts);
    PatternCursor::Run run{};
    for (int trip = 0; trip < 2; ++trip) {
        ASSERT_TRUE(cursor.next(run));
        EXPECT_EQ(run.leaf, 0U);
        EXPECT_EQ(run.count, 2U);
        EXPECT_EQ(cursor.depth(), 1U);
        ASSERT_TRUE(cursor.next(run));
        EXPECT_EQ(run.leaf, 1U);
        EXPECT_EQ(run.count, 1U);
    }
    EXPECT_FALSE(cursor.next(run));
    EXPECT_FALSE(cursor.next(run));
    EXPECT_EQ(cursor.depth(), 0U);
}

TEST(PatternCursorTest, ThrowsAtACountOfZero) {
    for (const u32 node : {0U, 1U, 2U}) {
        Source source = two_trips();
        const u32 zero = source.constant(0);
        PatternCursor cursor(source.get(), 0, {{node, zero}});
        expect_corrupt([&] {
            PatternCursor::Run run{};
            while (cursor.next(run)) continue;
        });
    }
}

TEST(PatternCursorTest, ThrowsWhereCountsRunOut) {
    Source source = two_trips();
    const u32 one_count = source.list({3});
    const u32 trips = source.constant(2);
    PatternCursor cursor(source.get(), 0, {{0, one_count}, {2, trips}});
    PatternCursor::Run run{};
    ASSERT_TRUE(cursor.next(run));
    ASSERT_TRUE(cursor.next(run));
    expect_corrupt([&] { cursor.next(run); });
}

TEST(ColumnSizeTest, CountsBytesOfSignedVarints) {
    EXPECT_EQ(signed_size(0), 1U);
    EXPECT_EQ(signed_size(63), 1U);
    EXPECT_EQ(signed_size(64), 2U);
    EXPECT_EQ(signed_size(u64{0} - 64), 1U);
    EXPECT_EQ(signed_size(u64{0} - 65), 2U);
    EXPECT_EQ(signed_size(u64{1} << 63U), 10U);
    EXPECT_EQ(signed_size(~u64{0}), 1U);
}

}  // namespace
}  // namespace tracefold
