// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/call_reader.hpp"

#include "model/event_table.hpp"
#include "support/sample_file.hpp"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

class CallReaderTest : public ::testing::TestWithParam<const char*> {};

template <class Range>
std::vector<typename Range::value_type> copy(const Range& range) {
    return {range.begin(), range.end()};
}

/// What identifies a record, with its time.
template <class Records>
std::vector<u64> content(const Records& batch, const RecordBatch::Head& head) {
    std::vector<u64> all = {head.type, head.time};
    for (const u64 value : batch.values(head)) all.push_back(value);
    for (const Attribute& attribute : batch.attributes(head)) all.push_back(attribute.value);
    return all;
}

TEST_P(CallReaderTest, GivesTheRecordsOfTheBatches) {
    SampleFile file(GetParam(), TimingLevel::exact);
    for (u32 location = 0; location < file->location_count(); ++location) {
        std::vector<std::vector<u64>> wanted;
        drain(*file->events(location), [&wanted](const RecordBatch& batch) {
            for (const auto& head : batch.heads()) wanted.push_back(content(batch, head));
        });
        std::size_t next = 0;
        CallReader stream(*file, location);
        while (stream.next()) {
            const RecordSpan records = stream.records();
            for (std::size_t i = 0; i < records.size(); ++i) {
                ASSERT_LT(next, wanted.size());
                ASSERT_EQ(content(records, records[i]), wanted[next++]);
                const u8 element = stream.element_of(i).type;
                ASSERT_TRUE(element == kCompletions || element == records[i].type);
            }
        }
        EXPECT_EQ(next, wanted.size());
    }
}

TEST_P(CallReaderTest, PostedDataIsThatOfTheCompletion) {
    SampleFile file(GetParam());
    for (u32 location = 0; location < file->location_count(); ++location) {
        std::map<u64, std::vector<u64>> posted;  // by request
        CallReader stream(*file, location);
        while (stream.next()) {
            const RecordSpan records = stream.records();
            for (const CallReader::Posted& data : stream.posted()) {
                const auto request = records.values(records[data.record]).back();
                if (!data.completes) continue;
                const u8 fields = static_cast<u8>(event_info(data.completion).field_count - 1);
                posted[request] = {data.fields.begin(), data.fields.begin() + fields};
            }
            for (const auto& head : records.heads()) {
                if (head.type != static_cast<u8>(EventType::MpiIrecv)) continue;
                std::vector<u64> fields = copy(records.values(head));
                const u64 request = fields.back();
                fields.pop_back();
                ASSERT_EQ(posted.at(request), fields);
                posted.erase(request);
            }
        }
        EXPECT_TRUE(posted.empty());
    }
}

/// All that a reader says of a call.
std::vector<u64> all_of_call(const CallReader& calls) {
    std::vector<u64> all = {calls.symbol_id(), calls.loop().item, calls.loop().left};
    const RecordSpan records = calls.records();
    for (std::size_t i = 0; i < records.size(); ++i) {
        const std::vector<u64> record = content(records, records[i]);
        all.push_back(calls.element_number(i));
        all.insert(all.end(), record.begin(), record.end());
    }
    for (const CallReader::Posted& data : calls.posted()) {
        all.push_back(data.record);
        all.insert(all.end(), data.fields.begin(), data.fields.end());
    }
    return all;
}

TEST_P(CallReaderTest, IterationsThatComeAgainAreAsIfTheyWereDecoded) {
    SampleFile file(GetParam(), TimingLevel::exact);
    for (u32 location = 0; location < file->location_count(); ++location) {
        CallReader decoded(*file, location);
        (void)decoded.unwinder();
        CallReader repeated(*file, location);
        while (decoded.next()) {
            ASSERT_TRUE(repeated.next());
            ASSERT_EQ(all_of_call(repeated), all_of_call(decoded));
            ASSERT_TRUE(std::ranges::equal(repeated.groups(), decoded.groups()));
        }
        EXPECT_FALSE(repeated.next());
        EXPECT_TRUE(repeated.records().empty());
    }
}

TEST_P(CallReaderTest, WhatFollowsSkippedCallsIsAsIfEveryCallWereRead) {
    SampleFile file(GetParam());
    for (u32 location = 0; location < file->location_count(); ++location) {
        std::vector<std::vector<u64>> wanted;
        CallReader all(*file, location, Times::skip);
        while (all.next()) wanted.push_back(all_of_call(all));
        for (std::size_t count = 0; count <= wanted.size(); count += 1 + wanted.size() / 23) {
            CallReader calls(*file, location, Times::skip);
            calls.skip(count / 2);
            calls.skip(count - count / 2);
            for (std::size_t call = count; call < wanted.size(); ++call) {
                ASSERT_TRUE(calls.next());
                ASSERT_EQ(all_of_call(calls), wanted[call]) << count << " skipped, call " << call;
            }
            EXPECT_FALSE(calls.next());
        }
    }
}

/// Less than half of the calls of the first location are decoded.
void expect_few_decoded(const char* sample) {
    SampleFile file(sample);
    CallReader calls(*file, 0, Times::skip);
    u32 read = 0;
    while (calls.next()) ++read;
    EXPECT_LT(calls.unwinder().steps(), read / 2) << sample;
}

TEST(CallReaderTest, FewCallsOfARegularProgramAreDecoded) {
    expect_few_decoded("npb-lu.S-4");
    expect_few_decoded("micro-stencil2d9p-isend-4");  // whose messages have requests
}

TEST(CallReaderTest, PassingMoreCallsThanThereAreEnds) {
    SampleFile file("micro-user-4");
    CallReader calls(*file, 0, Times::skip);
    calls.skip(~u64{0});
    EXPECT_FALSE(calls.next());
}

INSTANTIATE_TEST_SUITE_P(Samples, CallReaderTest,
                         ::testing::Values("micro-anysrc-4", "micro-mpiio-4", "micro-omphyb-4",
                                           "micro-rma-4", "micro-stencil2d9p-isend-4", "npb-lu.S-4",
                                           "tau-colls-4"),
                         sample_test_name<const char*>);

}  // namespace
}  // namespace tracefold
