// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/text.hpp"

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "common/command_line.hpp"
#include "common/table.hpp"

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

/// What a table prints on a terminal of that width; 0: with --wide.
std::string printed(const Table& table, unsigned width = 80, std::size_t indent = 0) {
    std::ostringstream out;
    std::ostringstream err;
    Terminal terminal;
    terminal.width = width == 0 ? 20 : width;
    ConsoleSettings settings;
    settings.wide = width == 0;
    Console console(out, err, terminal, settings);
    table.print(console, indent);
    return out.str();
}

TEST(TableTest, AlignsColumns) {
    Table table({{"call"}, {"count", Table::Align::right}, {"note"}});
    table.add_row({"MPI_Isend", "12", ""});
    table.add_row({"gr\xc3\xbc\xc3\x9f", "1234567", "x"});
    EXPECT_EQ(printed(table, 80, 2),
              "  call         count  note\n"
              "  MPI_Isend       12\n"
              "  gr\xc3\xbc\xc3\x9f       1234567  x\n");
}

TEST(TableTest, PrintsNoEmptyTitles) {
    Table table({{""}, {""}});
    table.add_row({"a", "b"});
    EXPECT_EQ(printed(table), "a  b\n");
}

TEST(TableTest, RefusesRowsOfAnotherWidth) {
    Table table({{"a"}});
    EXPECT_THROW(table.add_row({"x", "y"}), Error);
}

TEST(TableTest, LeavesOutTheLeastImportantColumns) {
    Table table({{"call"},
                 {"time", kRight},
                 {"min", kRight, 1},
                 {"max", kRight, 1},
                 {"deviation", kRight, 2},
                 {"calls", kRight}});
    table.add_row({"MPI_Send", "12 ms", "1 ms", "2 ms", "0 ms", "7"});
    const std::string all =
        "call       time   min   max  deviation  calls\n"
        "MPI_Send  12 ms  1 ms  2 ms       0 ms      7\n";
    EXPECT_EQ(printed(table, 45), all);
    EXPECT_EQ(printed(table, 0), all);
    EXPECT_EQ(printed(table, 44),
              "call       time   min   max  calls\n"
              "MPI_Send  12 ms  1 ms  2 ms      7\n"
              "not shown: deviation (--wide shows all)\n");
    EXPECT_EQ(printed(table, 33),
              "call       time  calls\n"
              "MPI_Send  12 ms      7\n"
              "not shown: min, max, deviation\n    (--wide shows all)\n");
}

TEST(TableTest, ShortensNamesAndWrapsSentences) {
    Table table({{"a"}, {"time", kRight}, {"", kSentence}});
    table.add_row({"void solve<double>(Matrix&, Vector&)", "1 s", "of it all"});
    EXPECT_EQ(printed(table, 54),
              "a                                     time\n"
              "void solve<double>(Matrix&, Vector&)   1 s  of it all\n");
    EXPECT_EQ(printed(table, 40),
              "a                        time\n"
              "void solve..., Vector&)   1 s  of it all\n"
              "names are shortened (--wide shows all)\n");
    Table facts({{""}, {"", kSentence}});
    facts.add_row({"program", "one two three four five"});
    EXPECT_EQ(printed(facts, 20),
              "program  one two\n"
              "         three four\n"
              "         five\n");
}

TEST(WrapLineTest, BreaksAtBlanksElseAtCommas) {
    EXPECT_EQ(wrap_line("  one two three", 80), "  one two three");
    EXPECT_EQ(wrap_line("  one two three four", 12), "  one two\n      three\n      four");
    EXPECT_EQ(wrap_line("  {1,2,3,4,5}", 10), "  {1,2,3,\n     4,5}");
    EXPECT_EQ(wrap_line("  1 main/fib/fib/leaf", 12),
              "  1\n      main/\n      fib/\n      fib/\n      leaf");
    EXPECT_EQ(wrap_line("unbreakable", 5), "unbreakable");
    EXPECT_EQ(wrap_line("\x1b[1mbold\x1b[0m", 4), "\x1b[1mbold\x1b[0m");
    EXPECT_EQ(wrap_line("unbreakable word", 5), "unbreakable\n  word");
}

TEST(ShortenedTest, KeepsBothEnds) {
    EXPECT_EQ(shortened("MPI_Allreduce", 13), "MPI_Allreduce");
    EXPECT_EQ(shortened("main/solve/MPI_Allreduce", 14), "main/s...educe");
    EXPECT_EQ(shortened("\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc", 5),
              "\xc3\xbc...\xc3\xbc");
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
