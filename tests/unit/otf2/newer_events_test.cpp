// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/event_table.hpp"
#include "otf2/archive_reader.hpp"
#include "otf2/archive_writer.hpp"
#include "otf2/file_encoder.hpp"
#include "otf2/library.hpp"
#include "support/definition_writer.hpp"
#include "support/expect_error.hpp"
#include "support/otf2_copy.hpp"
#include "support/test_directory.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold::testing {
namespace {

constexpr u64 kLocation = 0;
constexpr u64 kChunk = u64{1} << 20U;

struct Event {
    EventType type;
    std::vector<u64> fields;
};

/// The events of OTF2 3.2, with ids that are defined and one that is not.
const std::vector<Event>& newer_events() {
    static const std::vector<Event> events = {
        {EventType::MpiProbe, {1, 2, 3, 4}},
        {EventType::MpiProbe, {1, 2, 3, ~u64{0}}},
        {EventType::MpiMrecv, {4, 5}},
        {EventType::MpiProbe, {7, 2, 9, 1'000'000}},
        {EventType::MpiImrecvRequest, {1'000'000, 6}},
        {EventType::MpiImrecv, {6, 7}},
    };
    return events;
}

/// Writes an archive with these events.
class NewerEventsTest : public ::testing::Test {
  protected:
    void SetUp() override {
        ArchiveInfo info;
        info.name = "a";
        info.event_chunk_size = info.definition_chunk_size = kChunk;
        ArchiveWriter writer(archive_, info, {.restore_anchor = false});
        RecordBatch batch;
        u64 time = 1;
        for (const Event& event : newer_events()) {
            batch.begin(static_cast<u8>(event.type), time++);
            for (const u64 field : event.fields) batch.push(field);
        }
        writer.write_events(kLocation, batch);
        writer.close_location(kLocation);
        writer.write_global_definitions(definitions());
        writer.finish();
    }

    static RecordBatch definitions() {
        DefinitionWriter out;
        const u64 name = out.string("x");
        out.add(DefinitionType::ClockProperties, {1000, 0, 10, ~u64{0}});
        out.add(DefinitionType::SystemTreeNode, {0, name, name, kNone});
        out.add(DefinitionType::LocationGroup, {0, name, 1, 0, kNone});
        out.add(DefinitionType::Location, {kLocation, name, 1, newer_events().size(), 0});
        return std::move(out.batch());
    }

    /// What was read.
    RecordBatch read(const ArchiveReaderOptions& options = {}) {
        ArchiveReader reader(archive_, options);
        location_ids(reader);
        RecordBatch all;
        reader.read_events(kLocation, [&all](const RecordBatch& batch) {
            for (const auto& head : batch.heads()) all.append(batch, head);
        });
        unknown_ = reader.unknown_records();
        return all;
    }

    u64 unknown_ = 0;

    TestDirectory scratch_;
    std::string archive_ = scratch_ / "archive";
};

TEST_F(NewerEventsTest, AreReadByAnyLibotf2) {
    const RecordBatch all = read();
    EXPECT_EQ(unknown_, 0U);
    ASSERT_EQ(all.size(), newer_events().size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Event& wanted = newer_events()[i];
        EXPECT_EQ(all[i].type, static_cast<u8>(wanted.type)) << i;
        const auto values = all.values(all[i]);
        EXPECT_EQ(std::vector<u64>(values.begin(), values.end()), wanted.fields) << i;
    }
}

/// The bytes that libotf2 3.2 writes: those of events with the same fields, but for the type.
TEST_F(NewerEventsTest, HaveTheBytesOfEventsWithTheSameFields) {
    const auto encode = [](EventType type, const std::vector<u64>& fields) {
        RecordBatch batch;
        batch.begin(static_cast<u8>(type), 1);
        for (const u64 field : fields) batch.push(field);
        FileEncoder encoder(Stream::events, kChunk, "events");
        EXPECT_EQ(encoder.encode(batch, 0), 1U);
        return std::string(encoder.end_file());
    };
    for (const Event& event : newer_events()) {
        // Two numbers of 64 bits: no other event has them alone.
        if (event.type != EventType::MpiProbe) continue;
        std::string expected = encode(EventType::MpiSend, event.fields);
        constexpr std::size_t kType = 18 + 9;
        expected[kType] = static_cast<char>(kFirstEventNumber + static_cast<u8>(event.type));
        EXPECT_EQ(encode(event.type, event.fields), expected);
    }
}

TEST_F(NewerEventsTest, AreNamedWithARemedyWhereOnlyLibotf2CanRead) {
    if (known_event_types() == kEventTypes) GTEST_SKIP() << "libotf2 knows them";
    ArchiveReader reader(archive_);
    location_ids(reader);
    for (const char* words :
         {"3 records of type 89 (MpiProbe)", "1 record of type 90 (MpiMrecv)", "(MpiImrecvRequest)",
          "(MpiImrecv)", "install libotf2 3.2 or later"}) {
        expect_error(ErrorKind::unsupported, words, [&reader] {
            reader.read_events_by_libotf2(kLocation, [](const RecordBatch&) {});
        });
    }
}

}  // namespace
}  // namespace tracefold::testing
