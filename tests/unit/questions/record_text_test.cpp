// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/definition_table.hpp"
#include "model/event_table.hpp"
#include "questions/calls/call_lister.hpp"
#include "questions/calls/text_sink.hpp"

#include <bit>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

class RecordTextTest : public ::testing::Test {
  protected:
    RecordTextTest() : names_(definitions_) {
        RecordBatch batch;
        const auto put = [&batch](DefinitionType type, const std::vector<u64>& values) {
            batch.begin(static_cast<u8>(type));
            for (const u64 value : values) batch.push(value);
        };
        const auto text = [&batch](u64 id, std::string_view content) {
            batch.begin(static_cast<u8>(DefinitionType::String));
            batch.push(id);
            batch.push_text(content);
        };
        text(0, "WORLD");
        text(1, "a \"b\"\n");
        text(2, "counter");
        put(DefinitionType::Comm, {7, 0, 0, 0, 0});
        put(DefinitionType::Comm, {8, 1, 0, 0, 0});
        put(DefinitionType::MetricMember, {0, 2, 0, 0, 0, 0, 0, 0, 0});
        put(DefinitionType::MetricClass, {3, 1, 0, 0, 0});
        put(DefinitionType::Attribute, {4, 2, 0, 4});
        definitions_.add(batch);
        definitions_.finish();
        names_.add(batch);
        RecordBatch local;
        local.begin(static_cast<u8>(DefinitionType::MappingTable));
        const u64 comm = static_cast<u64>(mapping_type(FieldKind::comm));
        for (const u64 value : {comm, u64{0}, u64{2}, u64{0}, u64{1}, u64{7}, u64{8}}) {
            local.push(value);
        }
        tables_.add(local);
    }

    std::string fields(EventType type, const std::vector<u64>& values) {
        std::string out;
        RecordText text(definitions_, names_, tables_, [](u64 ticks) { return ticks; });
        TextSink sink(definitions_, out);
        text.pass_fields(static_cast<u8>(type), values, event_info(type).field_count, sink);
        return out;
    }

    DefinitionIndex definitions_;
    DefinitionNames names_;
    MappingTables tables_;
};

TEST_F(RecordTextTest, IdsStandForNames) {
    EXPECT_EQ(fields(EventType::MpiSend, {3, 0, 5, 64}), " to=3 comm=WORLD tag=5 bytes=64");
    EXPECT_EQ(fields(EventType::CommCreate, {9}), " comm=#9");
}

TEST_F(RecordTextTest, WhatIsNoWordIsQuoted) {
    EXPECT_EQ(fields(EventType::CommCreate, {1}), " comm=\"a \\\"b\\\"\\x0a\"");
}

TEST_F(RecordTextTest, EnumeratorsAndSpecialRanks) {
    EXPECT_EQ(fields(EventType::MpiCollectiveEnd, {11, 0, 0xFFFFFFFF, 8, 32}),
              " op=allreduce comm=WORLD root=none sent=8 received=32");
}

TEST_F(RecordTextTest, MetricsHaveTypes) {
    const u64 minus_one = static_cast<u64>(i64{-1});
    EXPECT_EQ(
        fields(EventType::Metric, {3, 3, 8, 10, 4, minus_one, std::bit_cast<u64>(1.5), minus_one}),
        " metric=counter metric_values=-1,1.5,18446744073709551615");
    EXPECT_EQ(fields(EventType::Metric, {3, 0}), " metric=counter metric_values=");
}

TEST_F(RecordTextTest, Attributes) {
    std::string out;
    RecordText text(definitions_, names_, tables_, [](u64 ticks) { return ticks; });
    const std::vector<Attribute> attributes = {{4, 4, 12}, {4, 17, 0}};
    TextSink sink(definitions_, out);
    text.pass_attributes(attributes, sink);
    EXPECT_EQ(out, " counter=12 counter=WORLD");
}

}  // namespace
}  // namespace tracefold
