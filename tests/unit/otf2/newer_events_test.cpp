// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/event_table.hpp"
#include "otf2/archive_reader.hpp"
#include "otf2/archive_writer.hpp"
#include "otf2/detail/record_scanner.hpp"
#include "otf2/library.hpp"
#include "support/definition_writer.hpp"
#include "support/expect_error.hpp"
#include "support/otf2_copy.hpp"
#include "support/test_directory.hpp"

#include <fstream>
#include <map>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold::testing {
namespace {

using otf2::ElementKind;
using otf2::RawElement;
using otf2::RawFileKind;
using otf2::RecordScanner;

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

/// An event that every libotf2 knows and that looks the same in a file but for its type.
EventType stand_in(EventType type) {
    static const std::map<EventType, EventType> known = {
        {EventType::MpiProbe, EventType::MpiSend},
        {EventType::MpiMrecv, EventType::RmaOpCompleteBlocking},
        {EventType::MpiImrecvRequest, EventType::RmaOpCompleteNonBlocking},
        {EventType::MpiImrecv, EventType::RmaOpTest},
    };
    return known.at(type);
}

/// Writes an archive with these events by any libotf2: with others, whose type is then changed.
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
            batch.begin(static_cast<u8>(stand_in(event.type)), time++);
            for (const u64 field : event.fields) batch.push(field);
        }
        writer.write_events(kLocation, batch);
        writer.close_location(kLocation);
        writer.write_global_definitions(definitions());
        writer.finish();
        change_types();
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

    void change_types() {
        const std::string path = archive_ + "/a/0.evt";
        std::string bytes = file_bytes(path);
        RecordScanner scanner(path, RawFileKind::events, kChunk, path);
        auto event = newer_events().begin();
        for (RawElement element; scanner.next(element);) {
            if (element.kind != ElementKind::record) continue;
            bytes.at(element.offset) =
                static_cast<char>(kFirstEventNumber + static_cast<u8>(event->type));
            ++event;
        }
        ASSERT_EQ(event, newer_events().end());
        std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
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

  private:
    TestDirectory scratch_;
    std::string archive_ = scratch_ / "archive";
};

TEST_F(NewerEventsTest, AreReadWhereLibotf2KnowsThem) {
    if (known_event_types() < kEventTypes) GTEST_SKIP() << "libotf2 is older than 3.2";
    const RecordBatch all = read();
    ASSERT_EQ(all.size(), newer_events().size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Event& wanted = newer_events()[i];
        EXPECT_EQ(all[i].type, static_cast<u8>(wanted.type)) << i;
        const auto values = all.values(all[i]);
        EXPECT_EQ(std::vector<u64>(values.begin(), values.end()), wanted.fields) << i;
    }
}

TEST_F(NewerEventsTest, AreNamedWithARemedyWhereItDoesNot) {
    if (known_event_types() == kEventTypes) GTEST_SKIP() << "libotf2 knows them";
    for (const char* words :
         {"3 records of type 89 (MpiProbe)", "1 record of type 90 (MpiMrecv)", "(MpiImrecvRequest)",
          "(MpiImrecv)", "install libotf2 3.2 or later"}) {
        expect_error(ErrorKind::unsupported, words, [this] { read(); });
    }
}

TEST_F(NewerEventsTest, MayBeDroppedWhereItDoesNot) {
    if (known_event_types() == kEventTypes) GTEST_SKIP() << "libotf2 knows them";
    EXPECT_TRUE(read({true}).empty());
    EXPECT_EQ(unknown_, newer_events().size());
}

}  // namespace
}  // namespace tracefold::testing
