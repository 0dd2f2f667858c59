// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/text.hpp"

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "common/command_line.hpp"

#include <sstream>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(TextTest, MeasuresUtf8Sequences) {
    EXPECT_EQ(utf8_sequence("a"), 1U);
    EXPECT_EQ(utf8_sequence("\xc3\xbc"), 2U);
    EXPECT_EQ(utf8_sequence("\xe2\x82\xac"), 3U);
    EXPECT_EQ(utf8_sequence("\xf0\x9f\x98\x80"), 4U);
}

TEST(TextTest, RefusesWhatIsNotUtf8) {
    for (const char* text : {"", "\x80", "\xc3", "\xc3x", "\xc0\x80", "\xe0\x80\x80",
                             "\xed\xa0\x80", "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xff"})
        EXPECT_EQ(utf8_sequence(text), 0U) << text;
}

TEST(TextTest, CountsAndCutsCharacters) {
    EXPECT_EQ(display_width("\xc3\xbc\xe2\x82\xac\xff"), 3U);
    EXPECT_EQ(fit("\xc3\xbc\xe2\x82\xac!", 2), "\xc3\xbc\xe2\x82\xac");
    EXPECT_EQ(fit("abc", 9), "abc");
    EXPECT_EQ(fit("abc", 0), "");
}

TEST(TextTest, WrapsAtBlanks) {
    EXPECT_EQ(wrap("aa bb cc", 5), "aa bb\ncc");
    EXPECT_EQ(wrap("aa bb cc", 4), "aa\nbb\ncc");
    EXPECT_EQ(wrap("aa bb cc", 80), "aa bb cc");
    EXPECT_EQ(wrap("a toolong b", 4), "a\ntoolong\nb");
    EXPECT_EQ(wrap("\xc3\xbc\xc3\xbc \xc3\xbc", 4), "\xc3\xbc\xc3\xbc \xc3\xbc");
    EXPECT_EQ(wrap("", 4), "");
}

TEST(TableTest, AlignsColumns) {
    Table table({{"call"}, {"count", Table::Align::right}, {"note"}});
    table.add_row({"MPI_Isend", "12", ""});
    table.add_row({"gr\xc3\xbc\xc3\x9f", "1234567", "x"});
    std::ostringstream out;
    table.print(out, 2);
    EXPECT_EQ(out.str(),
              "  call         count  note\n"
              "  MPI_Isend       12\n"
              "  gr\xc3\xbc\xc3\x9f       1234567  x\n");
}

TEST(TableTest, PrintsNoEmptyTitles) {
    Table table({{""}, {""}});
    table.add_row({"a", "b"});
    std::ostringstream out;
    table.print(out);
    EXPECT_EQ(out.str(), "a  b\n");
}

TEST(TableTest, RefusesRowsOfAnotherWidth) {
    Table table({{"a"}});
    EXPECT_THROW(table.add_row({"x", "y"}), Error);
}

TEST(SuggestTest, FindsSmallSlips) {
    const std::vector<std::string> names = {"--timing", "--level", "--json"};
    EXPECT_EQ(nearest_name("--timming", names), "--timing");
    EXPECT_EQ(nearest_name("--tmiing", names), "--timing");
    EXPECT_EQ(nearest_name("--jsn", names), "--json");
    EXPECT_EQ(nearest_name("--nothing-like-it", names), std::nullopt);
    EXPECT_EQ(nearest_name("x", {}), std::nullopt);
}

}  // namespace
}  // namespace tracefold
