// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/format/function_table_codec.hpp"

#include "file/format/item_codec.hpp"
#include "support/expect_error.hpp"

#include <string>

#include <gtest/gtest.h>

namespace tracefold {

namespace {

constexpr u32 kColumns = 64;
constexpr u64 kFunctions = 5;
constexpr u64 kNumbers = 7;
constexpr u64 kFreeColumns = 1000;

/// Constants, all different.
std::vector<Column> some_columns() {
    std::vector<Column> columns(kColumns);
    for (u32 i = 0; i < kColumns; ++i) columns[i].start = 100 + i;
    return columns;
}

/// The parts that a table may have.
struct Parts {
    bool one_each = false;
    bool lookups = false;
    bool factors = false;
    bool mixed_grid = false;
    bool periodic = false;
    int order = 0;     ///< 1: ordered, 2: chosen
    int presence = 0;  ///< 1: present inside, 2: in groups

    /// `next`: number of the first column that it uses; columns are numbered as they are written.
    [[nodiscard]] FunctionTable table(u32& next) const {
        FunctionTable table;
        table.grid = {{4, 0}, {3, 1}};
        if (mixed_grid) table.grid = {{2, 1}, {4, 0}, {3, 1}};
        table.function_count = kFunctions;
        table.size = one_each ? kFunctions : kNumbers;
        table.periodic = periodic;
        if (!one_each) table.function_of = next++;
        for (int i = 0; i < 9; ++i) table.parameters.push_back(next++);
        if (lookups) {
            table.lookups = {next, next + 1};
            table.lookup_of = next + 2;
            next += 3;
        }
        if (factors) {
            table.factors = {next, next + 1};
            table.factor_of = {next + 2, next + 3};
            next += 4;
        }
        if (order > 0) table.order = next++;
        if (order > 1) table.choices = next++;
        if (presence > 0) table.presence = next++;
        if (presence > 1) {
            table.presences = {next, next + 1};
            table.group_of = next + 2;
            next += 3;
        }
        return table;
    }
};

std::string bytes_of(const std::vector<FunctionTable>& tables) {
    ByteWriter out;
    const std::vector<Pattern> patterns;
    const std::vector<Column> columns = some_columns();
    ColumnWriter writer(out, patterns, columns);
    for (const FunctionTable& table : tables) put_functions(out, writer, table);
    return out.take();
}

std::vector<FunctionTable> tables_in(const std::string& bytes, std::size_t count,
                                     u64 free_columns = kFreeColumns) {
    std::vector<Pattern> patterns;
    std::vector<Column> columns;
    FieldReader in(bytes, "test");
    ColumnReader reader(in, patterns, columns);
    FunctionTableReader functions(in, reader);
    functions.begin();
    std::vector<FunctionTable> tables;
    for (std::size_t i = 0; i < count; ++i) {
        const u32 first = reader.get_column();
        EXPECT_EQ(in.get_varint(), 0U);
        tables.push_back(functions.get(first, free_columns));
    }
    EXPECT_EQ(in.remaining(), 0U);
    return tables;
}

TEST(FunctionTableCodec, EveryCombinationOfPartsComesBack) {
    for (u32 code = 0; code < 2 * 2 * 2 * 2 * 2 * 3 * 3; ++code) {
        const Parts parts{code % 2 != 0,
                          code / 2 % 2 != 0,
                          code / 4 % 2 != 0,
                          code / 8 % 2 != 0,
                          code / 16 % 2 != 0,
                          static_cast<int>(code / 32 % 3),
                          static_cast<int>(code / 96)};
        if (parts.one_each && (parts.order != 0 || parts.presence != 0)) continue;
        u32 next = 0;
        const std::vector<FunctionTable> tables{parts.table(next)};
        EXPECT_TRUE(tables_in(bytes_of(tables), 1) == tables) << code;
    }
}

TEST(FunctionTableCodec, FollowersHaveTheGridAndTheSizeOfTheirLeader) {
    for (const bool one_each : {false, true}) {
        u32 next = 0;
        Parts parts;
        parts.one_each = one_each;
        parts.periodic = true;
        std::vector<FunctionTable> tables{parts.table(next), parts.table(next)};
        tables[1].follows = true;
        EXPECT_TRUE(tables_in(bytes_of(tables), 2) == tables);
        tables.erase(tables.begin());
        expect_error(ErrorKind::corrupt, "functions follow none",
                     [&] { tables_in(bytes_of(tables), 1); });
        expect_error(ErrorKind::corrupt, "too many columns in families", [&] {
            u32 again = 0;
            tables = {parts.table(again), parts.table(again)};
            tables[1].follows = true;
            tables_in(bytes_of(tables), 2, 20);
        });
    }
}

TEST(FunctionTableCodec, FollowersOfAnotherSizeAreRefused) {
    u32 next = 0;
    Parts parts;
    std::vector<FunctionTable> tables{parts.table(next)};
    parts.one_each = true;
    tables.push_back(parts.table(next));
    tables[1].follows = true;
    expect_error(ErrorKind::corrupt, "functions follow others of another size",
                 [&] { tables_in(bytes_of(tables), 2); });
}

void expect_refused_grid(const std::vector<DigitGrid::Digit>& grid, const std::string& why) {
    u32 next = 0;
    FunctionTable table = Parts().table(next);
    table.grid = grid;
    expect_error(ErrorKind::corrupt, why, [&] { tables_in(bytes_of({table}), 1); });
}

TEST(FunctionTableCodec, GridsHaveBounds) {
    expect_refused_grid({{4, 0}, {2, 2}}, "a grid lacks a dimension");
    expect_refused_grid({{1, 0}}, "a grid has too many places");
    expect_refused_grid({{1U << 20U, 0}, {1U << 20U, 1}}, "a grid has too many places");
    expect_refused_grid({{2, 7}}, "a grid has too many dimensions");
    expect_refused_grid({{2000, 0}}, "too many columns in families");
    expect_refused_grid(std::vector<DigitGrid::Digit>(33, {2, 0}), "a grid has too many places");
}

TEST(FunctionTableCodec, ThereIsAFunction) {
    u32 next = 0;
    Parts parts;
    parts.one_each = true;
    FunctionTable table = parts.table(next);
    table.function_count = 0;
    expect_error(ErrorKind::corrupt, "an argument has no functions",
                 [&] { tables_in(bytes_of({table}), 1); });
}

}  // namespace

}  // namespace tracefold
