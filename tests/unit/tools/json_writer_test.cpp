// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/json_writer.hpp"

#include "base/error.hpp"

#include <limits>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

template <typename Value>
std::string json_of(const Value& value) {
    std::ostringstream out;
    JsonWriter(out).value(value);
    return out.str();
}

TEST(JsonWriterTest, NestsOnOneLine) {
    std::ostringstream out;
    JsonWriter json(out);
    json.begin_object().member("ranks", 64).key("sizes").begin_array().value(1).value(2);
    json.end_array().key("empty").begin_object().end_object().key("none").null().end_object();
    EXPECT_EQ(out.str(), "{\"ranks\":64,\"sizes\":[1,2],\"empty\":{},\"none\":null}\n");
}

TEST(JsonWriterTest, PrettyLayoutIndents) {
    std::ostringstream out;
    JsonWriter json(out, JsonLayout::pretty);
    json.begin_object().member("a", true).key("b").begin_array().value("x").end_array();
    json.key("c").begin_array().end_array().end_object();
    EXPECT_EQ(out.str(), "{\n  \"a\": true,\n  \"b\": [\n    \"x\"\n  ],\n  \"c\": []\n}\n");
}

TEST(JsonWriterTest, IntegersKeepAllDigits) {
    EXPECT_EQ(json_of(std::numeric_limits<u64>::max()), "18446744073709551615\n");
    EXPECT_EQ(json_of(std::numeric_limits<i64>::min()), "-9223372036854775808\n");
    EXPECT_EQ(json_of(static_cast<u8>(200)), "200\n");
}

TEST(JsonWriterTest, DoublesReadBackAsTheSame) {
    EXPECT_EQ(json_of(0.1), "0.1\n");
    EXPECT_EQ(std::stod(json_of(1.0 / 3.0)), 1.0 / 3.0);
    EXPECT_EQ(json_of(std::numeric_limits<double>::infinity()), "null\n");
    EXPECT_EQ(json_of(std::numeric_limits<double>::quiet_NaN()), "null\n");
}

TEST(JsonWriterTest, EscapesWhatJsonForbids) {
    EXPECT_EQ(json_of("a\"b\\c"), "\"a\\\"b\\\\c\"\n");
    EXPECT_EQ(json_of("\n\t\x01\x1f"), "\"\\n\\t\\u0001\\u001f\"\n");
    EXPECT_EQ(json_of(std::string_view("\0", 1)), "\"\\u0000\"\n");
}

TEST(JsonWriterTest, KeepsUtf8AndReplacesOtherBytes) {
    EXPECT_EQ(json_of("gr\xc3\xbc\xc3\x9f"), "\"gr\xc3\xbc\xc3\x9f\"\n");
    EXPECT_EQ(json_of("a\xff\xc3"), "\"a\\ufffd\\ufffd\"\n");
}

TEST(JsonWriterTest, RefusesWhatIsNoJson) {
    std::ostringstream out;
    EXPECT_THROW(JsonWriter(out).key("a"), Error);
    EXPECT_THROW(JsonWriter(out).begin_object().value(1), Error);
    EXPECT_THROW(JsonWriter(out).begin_object().key("a").key("b"), Error);
    EXPECT_THROW(JsonWriter(out).begin_object().key("a").end_object(), Error);
    EXPECT_THROW(JsonWriter(out).begin_object().end_array(), Error);
    EXPECT_THROW(JsonWriter(out).value(1).value(2), Error);
}

}  // namespace
}  // namespace tracefold
