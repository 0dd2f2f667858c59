// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/detail/direct_reader.hpp"

#include "base/error.hpp"
#include "otf2/archive_files.hpp"
#include "otf2/archive_reader.hpp"
#include "otf2/detail/raw_fields.hpp"
#include "otf2/library.hpp"
#include "support/flat_record.hpp"
#include "support/otf2_all_records.hpp"
#include "support/test_directory.hpp"

#include <bit>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <otf2/otf2.h>

namespace tracefold::testing {
namespace {

/// What reading a location gave.
struct Outcome {
    std::vector<FlatRecord> records;
    std::string error;
};

class DirectReaderTest : public ::testing::Test {
  protected:
    void SetUp() override { write_archive(all_, archive_); }

    /// Reads with and without the decoder. Records before an error count for nothing.
    template <class Read>
    Outcome outcome(bool definitions, Read read) {
        Outcome outcome;
        ArchiveReader reader(archive_, {true});
        try {
            read(reader,
                 [&](const RecordBatch& batch) { flatten(batch, definitions, outcome.records); });
        } catch (const Error& error) {
            outcome.error = error.what();
            outcome.records.clear();
        }
        return outcome;
    }
    void expect_same_events(u64 location) {
        const Outcome direct = outcome(false, [location](ArchiveReader& reader, const auto& sink) {
            reader.read_events(location, sink);
        });
        expect_same(direct, outcome(false, [location](ArchiveReader& reader, const auto& sink) {
                        reader.read_events_by_libotf2(location, sink);
                    }));
    }
    void expect_same_definitions(u64 location) {
        const Outcome direct = outcome(true, [location](ArchiveReader& reader, const auto& sink) {
            reader.read_local_definitions(location, sink);
        });
        expect_same(direct, outcome(true, [location](ArchiveReader& reader, const auto& sink) {
                        reader.read_local_definitions_by_libotf2(location, sink);
                    }));
    }
    static void expect_same(const Outcome& direct, const Outcome& by_libotf2) {
        EXPECT_EQ(direct.error, by_libotf2.error);
        EXPECT_EQ(difference(by_libotf2.records, direct.records), "");
    }

    /// Local definitions of location 0.
    void write_definitions(const std::string& records) const {
        std::string bytes = file_bytes(archive_ + "/all/0.def").substr(0, 18);
        write_bytes(archive_ + "/all/0.def", bytes + records + "\2\1");
    }

    AllRecords all_ = make_all_records();
    TestDirectory scratch_;
    const std::string archive_ = scratch_ / "a";
};

TEST_F(DirectReaderTest, UnderstandsEveryRecordTypeThatLibotf2Writes) {
    const ArchiveReader reader(archive_);
    for (const auto& [location, batch] : all_.events) {
        std::vector<FlatRecord> records;
        const auto result = otf2::DirectReader().read(
            reader.files().events(location), reader.info().event_chunk_size, 100,
            [&](const RecordBatch& part) { flatten(part, false, records); });
        EXPECT_TRUE(result.complete) << location;
        EXPECT_EQ(result.records, batch.size());
        EXPECT_EQ(result.last_event, batch.size());
        EXPECT_EQ(difference(flat(batch, false), records), "") << location;
    }
}

TEST_F(DirectReaderTest, LeavesFilesOfUnknownChunksToLibotf2) {
    const ArchiveReader reader(archive_);
    const auto fail = [](const RecordBatch&) { FAIL(); };
    const auto result = otf2::DirectReader().read(reader.files().events(0), 1000, 100, fail);
    EXPECT_FALSE(result.complete);
    EXPECT_EQ(result.records, 0U);
}

/// Every fifth byte of the file with all record types gets another value, one at a time.
TEST_F(DirectReaderTest, ReadsDamagedFilesAsLibotf2Does) {
    const std::string path = archive_ + "/all/0.evt";
    const std::string bytes = file_bytes(path);
    for (std::size_t at = 0; at < bytes.size(); at += 5) {
        SCOPED_TRACE(at);
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) + 1 + at % 251);
        const int type = static_cast<unsigned char>(damaged[at]) - kFirstEventNumber;
        // The type of a record that only the direct reader knows.
        if (type >= known_event_types() && type < kEventTypes) continue;
        write_bytes(path, damaged);
        expect_same_events(0);
        if (HasFailure()) return;
    }
}

TEST_F(DirectReaderTest, ReadsFilesThatAreCutAsLibotf2Does) {
    const std::string path = archive_ + "/all/0.evt";
    const std::string bytes = file_bytes(path);
    for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 50) {
        SCOPED_TRACE(size);
        write_bytes(path, bytes.substr(0, size));
        expect_same_events(0);
    }
}

/// The first record of a batch has attributes, but is none: nothing is there to have them.
TEST(EventDecoderTest, AttributesOfNoRecordGoNowhere) {
    using namespace otf2;
    constexpr bool kLittle = std::endian::native == std::endian::little;
    std::string bytes = {
        static_cast<char>(kChunkHeaderMark),
        static_cast<char>(kLittle ? ChunkHeader::kLittleEndian : ChunkHeader::kBigEndian)};
    bytes += number_bytes(1, kLittle) + number_bytes(1, kLittle);
    bytes += {static_cast<char>(kAttributeListMark), 6, 1, 1, 1, 5, OTF2_TYPE_UINT8, 42};
    constexpr char kImpossibleSize = 9;
    bytes += {static_cast<char>(kFirstEventNumber + static_cast<int>(EventType::Metric)),
              3,
              kImpossibleSize,
              0,
              0,
              static_cast<char>(kEndOfChunk)};
    std::vector<u8> chunk(bytes.begin(), bytes.end());
    chunk.resize(bytes.size() + EventDecoder::kPadding);
    EventDecoder decoder;
    decoder.begin_file();
    ASSERT_TRUE(decoder.begin_chunk(chunk.data(), bytes.size()));
    RecordBatch batch;
    EXPECT_EQ(decoder.decode(batch, 10), EventDecoder::Stop::unknown);
    EXPECT_TRUE(batch.empty());
}

TEST_F(DirectReaderTest, UnderstandsLocalDefinitionsOfRecorders) {
    using namespace std::string_literals;
    const std::string dense = "\5\x08\1\1\2\0\1\5\1\6"s;
    const std::string sparse = "\5\x0b\2\1\2\1\1\1\1\5\1\4\0"s;
    const std::string offset = "\6\x12" + std::string(8, '\1') + "\1\7"s + std::string(8, '\0');
    write_definitions(dense + sparse + offset);
    std::vector<FlatRecord> records;
    const auto result = otf2::DirectReader().read_local_definitions(
        archive_ + "/all/0.def", all_.info.definition_chunk_size, 100,
        [&](const RecordBatch& batch) { flatten(batch, true, records); });
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.records, 3U);
    expect_same_definitions(0);
}

TEST_F(DirectReaderTest, ReadsDamagedDefinitionsAsLibotf2Does) {
    for (const char* const file : {"/all/0.def", "/all/4294967299.def"}) {
        const std::string path = archive_ + file;
        const std::string bytes = file_bytes(path);
        for (std::size_t at = 0; at < bytes.size(); at += 1 + bytes.size() / 300) {
            SCOPED_TRACE(at);
            std::string damaged = bytes;
            damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) + 1 + at % 251);
            write_bytes(path, damaged);
            expect_same_definitions(0);
            expect_same_definitions(0x100000003);
            if (HasFailure()) return;
        }
        write_bytes(path, bytes);
    }
}

}  // namespace
}  // namespace tracefold::testing
