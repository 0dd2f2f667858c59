// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/columns/column_size.hpp"
#include "fold/structure_pool.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

u32 list_of(StructurePool& pool, std::vector<u64> values) {
    Column column;
    column.form = Column::Form::list;
    column.values = std::move(values);
    return pool.intern(std::move(column));
}

u64 size_of(const StructurePool& pool, const std::vector<u32>& columns) {
    PackedSize size({pool.patterns(), pool.columns()});
    for (const u32 column : columns) size.add(column);
    return size.bytes();
}

TEST(PackedSizeTest, ColumnsThatResembleEachOtherAreCheap) {
    StructurePool pool;
    const u32 first = list_of(pool, {70, 3, 900, 41, 7, 5000, 12, 88});
    const u32 alike = list_of(pool, {70, 3, 900, 41, 7, 5000, 12, 89});
    const u32 other = list_of(pool, {31, 555, 2, 17, 6000, 9, 430, 1});
    EXPECT_GE(size_of(pool, {first}), 10U);
    EXPECT_LE(size_of(pool, {first, alike}), size_of(pool, {first}) + 4);
    EXPECT_GE(size_of(pool, {first, other}), size_of(pool, {first}) + 8);
}

TEST(PackedSizeTest, AKnownColumnIsAMention) {
    StructurePool pool;
    const u32 column = list_of(pool, {70, 3, 900, 41, 7, 5000, 12, 88});
    EXPECT_LE(size_of(pool, {column, column}), size_of(pool, {column}) + 1);
}

}  // namespace
}  // namespace tracefold
