// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/proxy/write_script.hpp"
#include "fold/column_builder.hpp"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(WriteTablesTest, WritesNumbersThatAreConstantsOfC) {
    EXPECT_EQ(c_number(7), "7");
    EXPECT_EQ(c_number(static_cast<u64>(-4)), "-4");
    EXPECT_EQ(c_number(u64{3} << 31U), "6442450944LL");
}

TEST(WriteTablesTest, BreaksLongLines) {
    std::string line = "int x[] = {1";
    for (int i = 0; i < 100; ++i) line += ", 1234567";
    const std::string text = c_lines(line + "};");
    std::size_t begin = 0;
    std::string joined;
    for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos;
         begin = end + 1) {
        EXPECT_LE(end - begin, 110U);
        joined += text.substr(begin, end - begin);
    }
    joined.erase(std::remove(joined.begin(), joined.end(), ' '), joined.end());
    line.erase(std::remove(line.begin(), line.end(), ' '), line.end());
    EXPECT_EQ(joined, line + "};");
}

constexpr u64 kMinusFour = static_cast<u64>(-4);

std::string text_of(const Column& column) {
    StructurePool pool;
    TableWriter writer(pool);
    return writer.texts()[writer.column(pool.intern(column))];
}

TEST(WriteTablesTest, WritesEachFormOfAColumn) {
    Column column;
    column.start = kMinusFour;
    EXPECT_EQ(text_of(column), "-4");
    column.form = Column::Form::progression;
    column.start = 6;
    column.stride = kMinusFour;
    EXPECT_EQ(text_of(column), "6 + *-4");
    column = {
        Column::Form::list, 0, 0, {8, 8, 3, kMinusFour, kMinusFour, kMinusFour}, kNone, kNone, {}};
    EXPECT_EQ(text_of(column), "2*8 3 3*-4");
    column = {Column::Form::runs, 0, 0, {80, 1, 9, 4, 8, 1, 8}, kNone, kNone, {}};
    EXPECT_EQ(text_of(column), "80 4*9 *8");
}

TEST(WriteTablesTest, WritesWhatARepeatedListRepeatsOnce) {
    Column column;
    column.form = Column::Form::list;
    for (int i = 0; i < 3; ++i) column.values.insert(column.values.end(), {1, 2, 2, 5, 2, 2, 5});
    EXPECT_EQ(text_of(column), "3*(1 2*2 5 2*2 5)");
    column.values = {1, 2, 1, 2};
    EXPECT_EQ(text_of(column), "1 2 1 2");
    column.values = {1, 2, 1, 2, 1, 2, 7};
    EXPECT_EQ(text_of(column), "3*(1 2) 7");
}

/// Reads a text as the C program does, but in C++ and all at once.
class Reader {
  public:
    explicit Reader(const TableWriter& writer) : writer_(writer) {}

    std::vector<u64> read(u32 number, std::size_t length) {
        std::string text = writer_.texts()[number];
        const auto plus = text.find(" + ");
        const bool sums = plus != std::string::npos;
        u64 value = sums ? static_cast<u64>(std::stoll(text)) : 0;
        if (sums) text.erase(0, plus + 3);
        std::vector<u64> numbers;
        while (numbers.size() < length) expand(text, length, numbers);
        numbers.resize(length);
        if (!sums) return numbers;
        for (u64& one : numbers) {
            const u64 step = one;
            one = value;
            value += step;
        }
        return numbers;
    }

  private:
    void expand(const std::string& text, std::size_t length, std::vector<u64>& numbers) {
        for (std::size_t at = 0; at < text.size() && numbers.size() < length;) {
            if (text[at] == ' ') {
                ++at;
                continue;
            }
            u64 times = read_times(text, at, length);
            const std::size_t begin = at;
            if (text[at] == '(') {
                for (int open = 0; at == begin || open > 0; ++at) {
                    open += text[at] == '(' ? 1 : 0;
                    open -= text[at] == ')' ? 1 : 0;
                }
                const std::string body = text.substr(begin + 1, at - begin - 2);
                while (times-- > 0) expand(body, length, numbers);
                continue;
            }
            while (at < text.size() && text[at] != ' ') ++at;
            const std::string word = text.substr(begin, at - begin);
            if (word[0] == '@') {
                const std::string body = writer_.texts()[std::stoul(word.substr(1))];
                while (times-- > 0) expand(body, length, numbers);
            } else {
                numbers.insert(numbers.end(), times, static_cast<u64>(std::stoll(word)));
            }
        }
    }

    u64 read_times(const std::string& text, std::size_t& at, std::size_t length) {
        const auto star = text.find_first_of(" *(", at);
        if (star == std::string::npos || text[star] != '*') return 1;
        const std::string before = text.substr(at, star - at);
        at = star + 1;
        if (before.empty()) return length;
        if (before[0] != 'c') return std::stoull(before);
        const u32 column = static_cast<u32>(std::stoul(before.substr(1)));
        const std::size_t place = places_[before]++;
        return Reader(writer_).read(column, place + 1).back();
    }

    const TableWriter& writer_;
    std::map<std::string, std::size_t> places_;
};

void expect_read_back(const std::vector<u64>& values) {
    ColumnBuilder builder;
    for (const u64 value : values) builder.push(value);
    StructurePool pool;
    const u32 column = builder.finish(pool);
    TableWriter writer(pool);
    const u32 number = writer.column(column);
    EXPECT_EQ(Reader(writer).read(number, values.size()), values) << writer.texts()[number];
    std::size_t open = 0;
    std::size_t deepest = 1;
    for (const char c : writer.texts()[number]) {
        open += c == '(' ? 1 : 0;
        open -= c == ')' ? 1 : 0;
        deepest = std::max(deepest, open);
    }
    EXPECT_GE(writer.depth(), deepest);
}

TEST(WriteTablesTest, TextsHaveTheNumbersOfTheirColumns) {
    std::vector<u64> levels;  // loops whose lengths change
    std::vector<u64> nests;   // loops within loops
    std::vector<u64> slopes;  // differences that repeat
    std::vector<u64> shared;  // one loop at several places
    for (u64 i = 0; i < 40; ++i) {
        for (u64 j = 0; j <= i % 7; ++j) levels.insert(levels.end(), {100, 7, 300});
        levels.push_back(i);
        for (u64 j = 0; j < 6; ++j) {
            nests.push_back(j);
            for (u64 k = 0; k < 3; ++k) nests.insert(nests.end(), {50, 60, 60, 70 + j});
        }
        slopes.insert(slopes.end(), {10 * i, 10 * i + 3, 10 * i + 4});
        const u64 mark = 1000 + i % 3;
        for (const u64 trips : {i % 5 + 1, i % 4 + 2}) {
            for (u64 j = 0; j < trips; ++j) shared.insert(shared.end(), {1, 2, 3, 4, 5, 6, 7, 8});
            shared.push_back(mark);
        }
    }
    for (const auto& values : {levels, nests, slopes, shared}) expect_read_back(values);
}

TEST(WriteTablesTest, TheTableHasALineForEachText) {
    StructurePool pool;
    TableWriter writer(pool);
    Column column;
    for (u64 i = 0; i < 12; ++i) {
        column.start = i;
        writer.column(pool.intern(column));
    }
    EXPECT_NE(writer.table().find("/* 11 */ \"11\",\n"), std::string::npos);
    EXPECT_EQ(writer.column(pool.intern(column)), 11U);
}

}  // namespace
}  // namespace tracefold
