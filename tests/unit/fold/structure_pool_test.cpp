// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/structure_pool.hpp"

#include "fold/column_builder.hpp"

#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

Column list(std::vector<u64> values) {
    Column column;
    column.form = Column::Form::list;
    column.values = std::move(values);
    return column;
}

Column constant(u64 value) {
    Column column;
    column.start = value;
    return column;
}

const Pattern kLoop{2, {{0, 1}}, {2}};

/// Interns the parts of a folded column, preceded by `noise` other columns.
u32 intern_folded(StructurePool& pool, u64 noise) {
    for (u64 i = 0; i < noise; ++i) pool.intern(constant(1000 + i));
    for (u64 i = 0; i < noise; ++i) pool.intern(Pattern{static_cast<u32>(i + 3), {}, {0}});
    Column column;
    column.form = Column::Form::folded;
    column.pattern = pool.intern(kLoop);
    column.alphabet = pool.intern(list({8, 9}));
    column.counts = {{2, pool.intern(constant(50))}};
    return pool.intern(column);
}

TEST(StructurePoolTest, GivesEqualContentOneId) {
    StructurePool pool;
    const u32 seven = pool.intern(constant(7));
    const u32 numbers = pool.intern(list({1, 2}));
    const u32 loop = pool.intern(kLoop);
    EXPECT_EQ(pool.intern(constant(7)), seven);
    EXPECT_EQ(pool.intern(list({1, 2})), numbers);
    EXPECT_EQ(pool.intern(Pattern{2, {{0, 1}}, {2}}), loop);
    EXPECT_EQ(pool.columns().size(), 2U);
    EXPECT_EQ(pool.patterns().size(), 1U);
}

TEST(StructurePoolTest, TellsContentApart) {
    StructurePool pool;
    const std::vector<Pattern> patterns{
        {2, {{0, 1}}, {2}},      {3, {{0, 1}}, {2}},      {2, {{1, 0}}, {2}}, {2, {{0, 1}}, {2, 2}},
        {2, {{0}, {1}}, {2, 3}}, {2, {{0, 1}, {2}}, {3}}, {2, {}, {0, 1}},    {2, {}, {0, 1, 2}},
    };
    std::set<u32> ids;
    for (const Pattern& pattern : patterns) ids.insert(pool.intern(pattern));
    EXPECT_EQ(ids.size(), patterns.size());

    Column progression = constant(7);
    progression.form = Column::Form::progression;
    Column folded;
    folded.form = Column::Form::folded;
    folded.pattern = 0;
    folded.alphabet = pool.intern(list({8, 9}));
    const u32 one = pool.intern(constant(1));
    std::vector<Column> columns{constant(7),  progression, list({7}),
                                list({7, 7}), list({}),    folded};
    Column changed = folded;
    changed.form = Column::Form::differences;
    columns.push_back(changed);
    changed.pattern = 1;
    columns.push_back(changed);
    changed.counts = {{0, one}};
    columns.push_back(changed);
    changed.counts = {{1, one}};
    columns.push_back(changed);
    changed.counts = {{0, one}, {1, one}};
    columns.push_back(changed);
    ids.clear();
    for (const Column& column : columns) ids.insert(pool.intern(column));
    EXPECT_EQ(ids.size(), columns.size());
}

TEST(StructurePoolTest, AddressesDoNotDependOnTheOrder) {
    StructurePool first;
    StructurePool second;
    const u32 a = intern_folded(first, 0);
    const u32 b = intern_folded(second, 5);
    EXPECT_NE(a, b);
    EXPECT_EQ(first.column_hash(a), second.column_hash(b));
    EXPECT_EQ(first.pattern_hash(first.intern(kLoop)), second.pattern_hash(second.intern(kLoop)));
    EXPECT_NE(second.column_hash(0), second.column_hash(1));
}

TEST(ColumnCopierTest, CopiesWhatAColumnRefersTo) {
    StructurePool source;
    const u32 folded = intern_folded(source, 4);
    StructurePool target;
    target.intern(list({4, 4}));
    ColumnCopier copier({source.patterns(), source.columns()}, target);
    const u32 copy = copier.copy(folded);
    EXPECT_EQ(copier.copy(folded), copy);
    EXPECT_EQ(target.column_hash(copy), source.column_hash(folded));
    EXPECT_EQ(target.columns().size(), 4U) << "the list, the alphabet, the counts, the column";
    EXPECT_EQ(target.patterns().size(), 1U);
    for (const NodeCount& count : target.columns()[copy].counts) EXPECT_LT(count.column, copy);
}

TEST(ValueTableTest, NumbersValuesByFirstAppearance) {
    ValueTable table;
    for (u64 i = 0; i < 5000; ++i) ASSERT_EQ(table.intern(i * i * 77777), i);
    for (u64 i = 0; i < 5000; ++i) ASSERT_EQ(table.intern(i * i * 77777), i);
    EXPECT_EQ(table.intern(~u64{0}), 5000U);
    EXPECT_EQ(table.values().size(), 5001U);
    table.clear();
    EXPECT_EQ(table.intern(3), 0U);
}

TEST(ValueTableTest, NumbersDoNotDependOnWhatCameBefore) {
    ValueTable table;
    const std::vector<u64> values{5, 5, 9, 5, 7, 9, 7, 5, 9, 9, 8, 5};
    const std::vector<u32> numbers{0, 0, 1, 0, 2, 1, 2, 0, 1, 1, 3, 0};
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(table.intern(values[i]), numbers[i]);
    EXPECT_EQ(table.values(), (std::vector<u64>{5, 9, 7, 8}));
}

}  // namespace
}  // namespace tracefold
