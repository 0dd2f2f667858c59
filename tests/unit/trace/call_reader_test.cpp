// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "trace/call_reader.hpp"

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
std::vector<u64> content(const RecordBatch& batch, const RecordBatch::Head& head) {
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
            const RecordBatch& records = stream.records();
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
            const RecordBatch& records = stream.records();
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

INSTANTIATE_TEST_SUITE_P(Samples, CallReaderTest,
                         ::testing::Values("micro-anysrc-4", "micro-mpiio-4", "micro-omphyb-4",
                                           "micro-rma-4", "micro-stencil2d9p-isend-4", "npb-lu.S-4",
                                           "tau-colls-4"),
                         sample_test_name<const char*>);

}  // namespace
}  // namespace tracefold
