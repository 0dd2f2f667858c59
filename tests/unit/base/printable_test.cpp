// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/csv_table.hpp"
#include "base/json_writer.hpp"
#include "base/utf8.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

std::string json(std::string_view text) {
    std::string out;
    append_json_string(text, out);
    return out;
}

TEST(PrintableTest, NamesCannotSteerTheTerminal) {
    EXPECT_EQ(printable("a\x1b[31m\n\x7f\xff\xc2\x9b\xc3\xbc"), "a?[31m????\xc3\xbc");
}

TEST(PrintableTest, NamesCannotTurnTheDirectionOfText) {
    EXPECT_EQ(printable("a\u202eb\u2066c\u200fd\u061ce"), "a?b?c?d?e");
    EXPECT_EQ(printable("\u2028\u2029\ufeff"), "???");
    EXPECT_EQ(printable("\u2010\u00a0\u00e9\U0001F600"), "\u2010\u00a0\u00e9\U0001F600");
}

TEST(JsonTextTest, UnprintableCharactersAreEscaped) {
    EXPECT_EQ(json("\x1b\x7f"), "\"\\u001b\\u007f\"");
    EXPECT_EQ(json("\u009b\u202e\u00e9"), "\"\\u009b\\u202e\u00e9\"");
    EXPECT_EQ(json("a\n\t\"\\\xff"), "\"a\\n\\t\\\"\\\\\\ufffd\"");
}

TEST(JsonTextTest, PlainLettersStandForThemselvesAroundOthers) {
    EXPECT_EQ(json(""), "\"\"");
    EXPECT_EQ(json(" ~"), "\" ~\"");
    EXPECT_EQ(json("\"ab\u00e9cd\xffx"), "\"\\\"ab\u00e9cd\\ufffdx\"");
}

TEST(CsvFieldTest, SpreadsheetsFindNoFormulas) {
    for (const char* start : {"=", "+", "-", "@"}) {
        EXPECT_EQ(csv_field(start + std::string("A1")), "'" + std::string(start) + "A1");
    }
    EXPECT_EQ(csv_field("=a,\"b\""), "\"'=a,\"\"b\"\"\"");
    for (const char* number : {"-5", "+5", "-1.5e3", "-", "@", "1=2"}) {
        EXPECT_EQ(csv_field(number), number);
    }
}

TEST(CsvFieldTest, ALineIsALine) {
    EXPECT_EQ(csv_field("a\nb\r\x1b"), "a?b??");
    EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
}

}  // namespace
}  // namespace tracefold
