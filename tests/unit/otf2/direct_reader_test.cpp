// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/detail/direct_reader.hpp"

#include "core/error.hpp"
#include "otf2/archive_files.hpp"
#include "otf2/archive_reader.hpp"
#include "support/otf2_all_records.hpp"
#include "support/otf2_scratch.hpp"
#include "unit/otf2/flat_record.hpp"

#include <string>

#include <gtest/gtest.h>

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

    /// Reads a location with and without the decoder. Records before an error count for nothing.
    template <class Read>
    Outcome outcome(Read read) {
        Outcome outcome;
        ArchiveReader reader(archive_, {true});
        try {
            read(reader, [&](const RecordBatch& batch) { flatten(batch, false, outcome.records); });
        } catch (const Error& error) {
            outcome.error = error.what();
            outcome.records.clear();
        }
        return outcome;
    }
    void expect_same(u64 location) {
        const Outcome direct = outcome([location](ArchiveReader& reader, const auto& sink) {
            reader.read_events(location, sink);
        });
        const Outcome by_libotf2 = outcome([location](ArchiveReader& reader, const auto& sink) {
            reader.read_events_by_libotf2(location, sink);
        });
        EXPECT_EQ(direct.error, by_libotf2.error);
        EXPECT_EQ(difference(by_libotf2.records, direct.records), "");
    }

    AllRecords all_ = make_all_records();
    ScratchFolder scratch_;
    const std::string archive_ = scratch_ / "a";
};

TEST_F(DirectReaderTest, UnderstandsEveryRecordTypeThatLibotf2Writes) {
    const ArchiveReader reader(archive_);
    for (const auto& [location, batch] : all_.events) {
        std::vector<FlatRecord> records;
        const auto result = otf2::detail::DirectReader().read(
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
    const auto result =
        otf2::detail::DirectReader().read(reader.files().events(0), 1000, 100, fail);
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
        write_bytes(path, damaged);
        expect_same(0);
        if (HasFailure()) return;
    }
}

TEST_F(DirectReaderTest, ReadsFilesThatAreCutAsLibotf2Does) {
    const std::string path = archive_ + "/all/0.evt";
    const std::string bytes = file_bytes(path);
    for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 50) {
        SCOPED_TRACE(size);
        write_bytes(path, bytes.substr(0, size));
        expect_same(0);
    }
}

}  // namespace
}  // namespace tracefold::testing
