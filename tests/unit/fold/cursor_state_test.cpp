// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/column_cursor.hpp"
#include "support/folded_column.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

std::vector<u64> repeated(const std::vector<u64>& values, int times) {
    std::vector<u64> all;
    for (int i = 0; i < times; ++i) all.insert(all.end(), values.begin(), values.end());
    return all;
}

void expect_values(ColumnCursor& cursor, const std::vector<u64>& values, std::size_t begin,
                   std::size_t end) {
    for (std::size_t at = begin; at < end; ++at) EXPECT_EQ(cursor.next(), values[at]) << at;
}

/// Walks `before` values, then `length`, and leaps as often as these come again. The rest of the
/// values must be those of the column; returns the number of leaps. `check` gets the state before
/// and the one that was compared with it.
template <class Check>
u64 leaps(ColumnCursor& cursor, const std::vector<u64>& values, std::size_t before,
          std::size_t length, const Check& check) {
    CursorState first;
    expect_values(cursor, values, 0, before);
    cursor.save(first);
    const std::size_t at = before + length;
    expect_values(cursor, values, before, at);
    CursorState compared;
    compared.clear_and_compare(first);
    cursor.save(compared);
    check(first, compared);
    const u64 times = std::min<u64>(compared.repeats_since(first), (values.size() - at) / length);
    compared.go_on(first, times);
    cursor.restore(compared);
    expect_values(cursor, values, at + times * length, values.size());
    return times;
}

/// For these the state says the same whether it is compared while it is saved or afterwards.
u64 leaps(const std::vector<u64>& values, std::size_t before, std::size_t length) {
    const FoldedColumn column(values);
    ColumnCursor cursor(column.source(), column.id());
    return leaps(cursor, values, before, length,
                 [&](const CursorState& first, const CursorState& compared) {
                     CursorState second;
                     cursor.save(second);
                     EXPECT_EQ(compared.repeats_since(first), second.repeats_since(first));
                 });
}

TEST(CursorStateTest, IsFoundToDifferWhileItIsSaved) {
    CursorState first;
    first.add(1);
    first.add(2);
    CursorState second;
    second.clear_and_compare(first);
    second.add(1);
    EXPECT_FALSE(second.differs());
    second.add(3);
    EXPECT_TRUE(second.differs());
    EXPECT_EQ(second.repeats_since(first), 0U);
    second.clear_and_compare(first);
    EXPECT_FALSE(second.differs());
    for (const u64 number : {1U, 2U, 4U}) second.add(number);
    EXPECT_TRUE(second.differs());
}

TEST(CursorStateTest, ConstantsGoOnForEver) { EXPECT_EQ(leaps(repeated({5}, 100), 10, 5), 17U); }

TEST(CursorStateTest, PeriodsComeRoundAfterTheirLengthOnly) {
    const std::vector<u64> values = repeated({1, 2, 3, 2}, 50);
    EXPECT_EQ(leaps(values, 4, 4), 48U);
    EXPECT_EQ(leaps(values, 4, 3), 0U);
}

TEST(CursorStateTest, RunsLastAsLongAsTheyDo) {
    std::vector<u64> values = repeated({7}, 30);
    values.insert(values.end(), 20, 8);
    EXPECT_EQ(leaps(values, 1, 1), 28U);
    EXPECT_EQ(leaps(values, 1, 4), 6U);
}

TEST(CursorStateTest, FoldedLoopsLastUntilTheirLastIteration) {
    std::vector<u64> body = repeated({1}, 12);
    body.push_back(9);
    body.insert(body.end(), 7, 4);
    body.insert(body.end(), 5, 6);
    std::vector<u64> values = repeated(body, 40);
    values.push_back(123);
    EXPECT_GE(leaps(values, body.size(), body.size()), 35U);
    EXPECT_EQ(leaps(values, body.size(), body.size() - 1), 0U);
}

TEST(CursorStateTest, GrowingValuesDoNotComeAgain) {
    std::vector<u64> values;
    for (u64 i = 0; i < 50; ++i) values.push_back(3 * i);
    EXPECT_EQ(leaps(values, 5, 5), 0U);
}

/// The same for a column that has the values one by one, and gives all of them as often as told.
u64 leaps_in_list(const std::vector<u64>& values, Column::Form form, u64 rounds, std::size_t before,
                  std::size_t length) {
    const std::vector<Pattern> patterns;
    const std::vector<Column> columns{{form, 0, 0, values, kNone, kNone, {}}};
    ColumnCursor cursor({patterns, columns}, 0);
    return leaps(cursor, repeated(values, static_cast<int>(rounds)), before, length,
                 [](const CursorState& /*first*/, const CursorState& /*compared*/) {});
}

TEST(CursorStateTest, ListsComeAgainAsLongAsTheirValuesDo) {
    std::vector<u64> values{9, 8, 7};
    for (const u64 value : repeated({1, 2, 3, 2}, 20)) values.push_back(value);
    values.insert(values.end(), {1, 2, 5});
    for (const Column::Form form : {Column::Form::list, Column::Form::periodic}) {
        EXPECT_EQ(leaps_in_list(values, form, 1, 7, 4), 18U);
        EXPECT_EQ(leaps_in_list(values, form, 1, 7, 8), 8U);
        EXPECT_EQ(leaps_in_list(values, form, 1, 7, 3), 0U);
        EXPECT_EQ(leaps_in_list(values, form, 1, 2, 4), 0U);
    }
    for (std::size_t before = 0; before < values.size(); ++before) {
        for (std::size_t length = 1; length < 2 * values.size(); ++length) {
            leaps_in_list(values, Column::Form::periodic, 4, before, length);
        }
    }
}

TEST(CursorStateTest, WithoutAStateToCompareWithListsDoNotComeAgain) {
    const std::vector<Pattern> patterns;
    const std::vector<Column> columns{
        {Column::Form::list, 0, 0, repeated({1, 2}, 20), kNone, kNone, {}}};
    ColumnCursor cursor({patterns, columns}, 0);
    CursorState states[2];
    for (CursorState& state : states) {
        cursor.next();
        cursor.next();
        cursor.save(state);
    }
    EXPECT_EQ(states[1].repeats_since(states[0]), 0U);
}

TEST(CursorStateTest, TripCountsThatDifferAreNoRepetition) {
    std::vector<u64> values;
    for (int outer = 1; outer < 12; ++outer) {
        for (int inner = 0; inner < outer; ++inner) values.insert(values.end(), {1, 2});
        values.push_back(3);
    }
    for (std::size_t before = 0; before < 20; ++before) {
        for (std::size_t length = 1; length < 20; ++length) leaps(values, before, length);
    }
}

}  // namespace
}  // namespace tracefold
