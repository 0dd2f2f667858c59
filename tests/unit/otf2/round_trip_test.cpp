// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/event_table.hpp"
#include "otf2/archive_reader.hpp"
#include "otf2/archive_writer.hpp"
#include "otf2/library.hpp"
#include "support/flat_record.hpp"
#include "support/otf2_all_records.hpp"
#include "support/otf2_copy.hpp"
#include "support/test_directory.hpp"

#include <filesystem>
#include <set>

#include <gtest/gtest.h>

namespace tracefold::testing {
namespace {

class RoundTripTest : public ::testing::Test {
  protected:
    void SetUp() override { write_archive(all_, scratch_ / "a"); }

    std::vector<FlatRecord> read_events(ArchiveReader& reader, u64 location,
                                        std::size_t batch_size = ArchiveReader::kBatchSize) {
        std::vector<FlatRecord> records;
        const u64 count = reader.read_events(
            location,
            [&](const RecordBatch& batch) {
                EXPECT_LE(batch.size(), batch_size);
                flatten(batch, false, records);
            },
            batch_size);
        EXPECT_EQ(count, records.size());
        return records;
    }

    AllRecords all_ = make_all_records();
    TestDirectory scratch_;
};

TEST_F(RoundTripTest, HoldsEveryRecordType) {
    std::set<u8> types;
    for (const auto& head : all_.events.at(0).heads()) types.insert(head.type);
    EXPECT_EQ(types.size(), known_event_types());
    types.clear();
    for (const auto& head : all_.global_definitions.heads()) types.insert(head.type);
    for (const auto& head : all_.local_definitions.at(0).heads()) types.insert(head.type);
    EXPECT_EQ(types.size(), kDefinitionTypes);
}

TEST_F(RoundTripTest, GivesBackGlobalDefinitions) {
    ArchiveReader reader(scratch_ / "a");
    std::vector<FlatRecord> records;
    reader.read_global_definitions(
        [&](const RecordBatch& batch) { flatten(batch, true, records); });
    EXPECT_EQ(difference(flat(all_.global_definitions, true), records), "");
    EXPECT_EQ(location_ids(reader), all_.locations);
}

TEST_F(RoundTripTest, GivesBackLocalDefinitionsAnyNumberOfTimes) {
    ArchiveReader reader(scratch_ / "a");
    for (const u64 location : {u64{0}, u64{0x100000003}, u64{0}}) {
        std::vector<FlatRecord> records;
        const u64 count = reader.read_local_definitions(
            location, [&](const RecordBatch& batch) { flatten(batch, true, records); });
        EXPECT_EQ(count, records.size());
        EXPECT_EQ(difference(flat(all_.local_definitions.at(location), true), records), "");
    }
}

TEST_F(RoundTripTest, GivesBackEvents) {
    ArchiveReader reader(scratch_ / "a");
    for (const auto& [location, batch] : all_.events) {
        EXPECT_EQ(difference(flat(batch, false), read_events(reader, location)), "") << location;
    }
}

TEST_F(RoundTripTest, GivesTheSameEventsInBatchesOfAnySize) {
    ArchiveReader reader(scratch_ / "a");
    const std::vector<FlatRecord> expected = flat(all_.events.at(0), false);
    for (const std::size_t size : {std::size_t{1}, std::size_t{7}, expected.size()}) {
        EXPECT_EQ(difference(expected, read_events(reader, 0, size)), "") << size;
    }
}

TEST_F(RoundTripTest, KnowsWhichFilesExist) {
    ArchiveReader reader(scratch_ / "a");
    for (const u64 location : all_.locations) {
        EXPECT_EQ(reader.has_events(location), all_.events.count(location) != 0) << location;
        EXPECT_EQ(reader.has_local_definitions(location),
                  all_.local_definitions.count(location) != 0)
            << location;
    }
}

TEST_F(RoundTripTest, ReadsNothingWhereNothingIs) {
    ArchiveReader reader(scratch_ / "a");
    reader.read_global_definitions([](const RecordBatch&) {});
    const auto fail = [](const RecordBatch&) { FAIL() << "a batch without records"; };
    EXPECT_EQ(reader.read_events(7, fail), 0U);
    EXPECT_EQ(reader.read_events(0x100000003, fail), 0U);
    EXPECT_EQ(reader.read_local_definitions(7, fail), 0U);
    EXPECT_EQ(reader.read_local_definitions(1, fail), 0U);
}

TEST_F(RoundTripTest, GivesBackTheAnchor) {
    const ArchiveReader reader(scratch_ / "a/all.otf2");
    const ArchiveInfo& info = reader.info();
    EXPECT_EQ(info.name, "all");
    EXPECT_EQ(info.directory, scratch_ / "a");
    EXPECT_EQ(info.version[0], kOtf2Major);
    EXPECT_EQ(info.event_chunk_size, all_.info.event_chunk_size);
    EXPECT_EQ(info.definition_chunk_size, all_.info.definition_chunk_size);
    EXPECT_EQ(info.machine_name, all_.info.machine_name);
    EXPECT_EQ(info.creator, all_.info.creator);
    EXPECT_EQ(info.description, all_.info.description);
    EXPECT_EQ(info.properties, all_.info.properties);
    EXPECT_EQ(info.global_definition_count, all_.info.global_definition_count);
    EXPECT_EQ(info.location_count, all_.info.location_count);
    EXPECT_EQ(info.anchor_bytes, file_bytes(info.anchor_path));
}

TEST_F(RoundTripTest, CopiesToTheSameBytes) {
    ArchiveReader reader(scratch_ / "a");
    copy_archive(reader, scratch_ / "b");
    EXPECT_EQ(differing_files(reader, scratch_ / "b"), std::vector<std::string>{});
}

TEST_F(RoundTripTest, PassesTheSinksExceptionOn) {
    ArchiveReader reader(scratch_ / "a");
    const auto stop = [](const RecordBatch&) { throw std::string("stop"); };
    EXPECT_THROW(reader.read_events(0, stop), std::string);
    EXPECT_THROW(reader.read_global_definitions(stop), std::string);
    EXPECT_EQ(difference(flat(all_.events.at(0), false), read_events(reader, 0)), "");
}

TEST_F(RoundTripTest, KeepsASecondMappingTableOfOneType) {
    const RecordBatch& table = all_.local_definitions.at(0x100000003);
    {
        ArchiveWriter writer(scratch_ / "twice", all_.info);
        for (int i = 0; i < 3; ++i) writer.write_local_definitions(4, table);
        writer.finish();
    }
    ArchiveReader reader(scratch_ / "twice");
    std::vector<FlatRecord> records;
    reader.read_local_definitions(4,
                                  [&](const RecordBatch& batch) { flatten(batch, true, records); });
    const FlatRecord expected = flat(table, true).front();
    EXPECT_EQ(records, (std::vector<FlatRecord>{expected, expected, expected}));
}

TEST_F(RoundTripTest, CutsBatchesOfLongRecords) {
    RecordBatch group;
    group.begin(static_cast<u8>(DefinitionType::Group));
    for (const u64 value : {0U, 0U, 4U, 5U, 0U, 50000U}) group.push(value);
    for (u64 i = 0; i < 50000; ++i) group.push(i);
    all_.info.global_definition_count = 50;
    {
        ArchiveWriter writer(scratch_ / "groups", all_.info);
        for (int i = 0; i < 50; ++i) writer.write_global_definitions(group);
        writer.finish();
    }
    ArchiveReader reader(scratch_ / "groups");
    std::vector<std::size_t> sizes;
    reader.read_global_definitions(
        [&](const RecordBatch& batch) { sizes.push_back(batch.size()); });
    EXPECT_EQ(sizes, (std::vector<std::size_t>{21, 21, 8}));
}

}  // namespace
}  // namespace tracefold::testing
