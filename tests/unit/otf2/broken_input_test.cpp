// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/event_table.hpp"
#include "otf2/archive_reader.hpp"
#include "otf2/archive_writer.hpp"
#include "support/expect_error.hpp"
#include "support/otf2_all_records.hpp"
#include "support/otf2_copy.hpp"
#include "support/test_directory.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace tracefold::testing {
namespace {

namespace fs = std::filesystem;

constexpr u8 kUnknownRecord = 0xF0;

void write_bytes(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

void ignore(const RecordBatch&) {}

/// Reads all that an archive has.
u64 read_everything(const std::string& path, const ArchiveReaderOptions& options = {}) {
    ArchiveReader reader(path, options);
    u64 records = 0;
    for (const u64 location : location_ids(reader)) {
        records += reader.read_local_definitions(location, ignore);
        records += reader.read_events(location, ignore);
    }
    return records;
}

class BrokenInputTest : public ::testing::Test {
  protected:
    void SetUp() override { write_archive(make_all_records(), archive_); }

    /// Cuts `file` at every `step`-th byte and expects an error each time.
    void expect_cuts_noticed(const std::string& file, std::size_t step) {
        const std::string path = archive_ + "/" + file;
        const std::string bytes = file_bytes(path);
        ASSERT_FALSE(bytes.empty());
        // The last byte is an end mark that libotf2 does not look at.
        for (std::size_t size = 0; size + 1 < bytes.size(); size += step) {
            write_bytes(path, bytes.substr(0, size));
            SCOPED_TRACE(file + " cut to " + std::to_string(size));
            expect_error([&] { read_everything(archive_); });
        }
    }

    /// Flips bits of `file`: some give an error, the others other records, but nothing else.
    void expect_flips_survived(const std::string& file, std::size_t step) {
        const std::string path = archive_ + "/" + file;
        const std::string bytes = file_bytes(path);
        std::size_t refused = 0;
        for (std::size_t i = 0; i < bytes.size(); i += step) {
            std::string changed = bytes;
            changed[i] = static_cast<char>(changed[i] ^ (1 << i % 7));
            write_bytes(path, changed);
            ::testing::internal::CaptureStderr();
            try {
                read_everything(archive_);
            } catch (const Error& error) {
                EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
                ++refused;
            }
            EXPECT_EQ(::testing::internal::GetCapturedStderr(), "") << file << " byte " << i;
        }
        EXPECT_GT(refused, bytes.size() / step / 10) << file;
    }

    /// Gives the byte at `position` of `file` a value that is no record type.
    void make_unknown(const std::string& file, std::size_t position) {
        std::string bytes = file_bytes(archive_ + "/" + file);
        bytes.at(position) = static_cast<char>(kUnknownRecord);
        write_bytes(archive_ + "/" + file, bytes);
    }

    TestDirectory scratch_;
    std::string archive_ = scratch_ / "a";
};

TEST_F(BrokenInputTest, NoArchive) {
    expect_error(ErrorKind::io, "nowhere", [&] { ArchiveReader reader(scratch_ / "nowhere"); });
    fs::create_directory(scratch_ / "empty");
    expect_error(ErrorKind::io, "no *.otf2 file",
                 [&] { ArchiveReader reader(scratch_ / "empty"); });
}

TEST_F(BrokenInputTest, NotAnArchive) {
    for (const std::string& bytes : {std::string(), std::string("hello"), std::string(5000, 'x')}) {
        write_bytes(scratch_ / "text.otf2", bytes);
        expect_error(ErrorKind::corrupt, "text.otf2",
                     [&] { ArchiveReader reader(scratch_ / "text.otf2"); });
    }
    write_bytes(scratch_ / "notes.txt", "hello");
    expect_error(ErrorKind::corrupt, "notes.txt",
                 [&] { ArchiveReader reader(scratch_ / "notes.txt"); });
}

/// The version alone refuses nothing: what a newer release may have added shows when it is met.
TEST_F(BrokenInputTest, NewerVersion) {
    std::string bytes = file_bytes(archive_ + "/all.otf2");
    ASSERT_EQ(bytes[9], '\3');
    bytes[10] = 7;
    bytes[11] = 9;
    write_bytes(archive_ + "/all.otf2", bytes);
    EXPECT_EQ(ArchiveReader(archive_).info().version_text(), "3.7.9");
    read_everything(archive_);
}

TEST_F(BrokenInputTest, OtherStorage) {
    const std::string bytes = file_bytes(archive_ + "/all.otf2");
    ASSERT_EQ(bytes.substr(28, 2), std::string("\1\1", 2));
    std::string changed = bytes;
    changed[28] = 2;  // SIONlib
    write_bytes(archive_ + "/all.otf2", changed);
    expect_error(ErrorKind::unsupported, "all.otf2", [&] { ArchiveReader reader(archive_); });
    changed = bytes;
    changed[29] = 2;  // zlib
    write_bytes(archive_ + "/all.otf2", changed);
    const Error error = expect_error([&] { ArchiveReader reader(archive_); });
    EXPECT_NE(std::string(error.what()).find("compression"), std::string::npos) << error.what();
}

TEST_F(BrokenInputTest, MissingFiles) {
    fs::remove(archive_ + "/all/0.evt");
    expect_error(ErrorKind::io, "events of location 0 in ", [&] { read_everything(archive_); });
    fs::remove(archive_ + "/all.def");
    expect_error(ErrorKind::io, "all.def", [&] { read_everything(archive_); });
}

TEST_F(BrokenInputTest, MissingEventsOfAnUnknownLocation) {
    ArchiveReader reader(archive_);
    expect_error(ErrorKind::io, "events of location 99 in ",
                 [&] { reader.read_events(99, ignore); });
}

TEST_F(BrokenInputTest, Unreadable) {
    if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
    fs::permissions(archive_ + "/all/0.evt", fs::perms::none);
    expect_error(ErrorKind::io, "0.evt", [&] { read_everything(archive_); });
    fs::permissions(archive_ + "/all.otf2", fs::perms::none);
    expect_error(ErrorKind::io, "all.otf2", [&] { read_everything(archive_); });
}

TEST_F(BrokenInputTest, CutAnchor) {
    const std::string bytes = file_bytes(archive_ + "/all.otf2");
    // The last two bytes are end marks that libotf2 does not look at.
    for (std::size_t size = 0; size + 2 < bytes.size(); ++size) {
        write_bytes(archive_ + "/all.otf2", bytes.substr(0, size));
        expect_error([&] { ArchiveReader reader(archive_); });
    }
}

TEST_F(BrokenInputTest, CutEvents) { expect_cuts_noticed("all/0.evt", 5); }
TEST_F(BrokenInputTest, CutSecondChunkOfEvents) { expect_cuts_noticed("all/1.evt", 1999); }
TEST_F(BrokenInputTest, CutLocalDefinitions) { expect_cuts_noticed("all/0.def", 3); }
TEST_F(BrokenInputTest, CutGlobalDefinitions) { expect_cuts_noticed("all.def", 499); }

TEST_F(BrokenInputTest, CutBetweenRecordsWithTheEndMarkPutBack) {
    const std::string path = archive_ + "/all/18446744073709551614.evt";
    const std::string bytes = file_bytes(path);
    // Chunk header, then one timestamp; the end marks follow at once.
    write_bytes(path, bytes.substr(0, 18) + "\2\1");
    expect_error(ErrorKind::corrupt, "after 0 of 2 records", [&] { read_everything(archive_); });
}

/// libotf2 looks for another chunk in what its buffer had before, and may find the same one again.
TEST_F(BrokenInputTest, AnEndOfChunkInTheLastChunk) {
    const std::string path = archive_ + "/all/0.def";
    const std::string bytes = file_bytes(path);
    write_bytes(path, bytes.substr(0, 18) + std::string(2, '\0') + "\2\1");
    const std::string reason = "(the end mark is missing, at byte 22)";
    expect_error(ErrorKind::corrupt, reason, [&] { read_everything(archive_); });
}

/// What lies in libotf2's buffer behind the bytes of the file is no part of a record.
TEST_F(BrokenInputTest, ARecordThatGoesBeyondTheLastChunk) {
    const std::string path = archive_ + "/all/0.def";
    const std::string bytes = file_bytes(path);
    write_bytes(path, bytes.substr(0, 18) + "\5\x20 and so on\2\1");
    const std::string reason = "(the file ends within a record, at byte 18)";
    expect_error(ErrorKind::corrupt, reason, [&] { read_everything(archive_); });
}

TEST_F(BrokenInputTest, FlippedBits) {
    expect_flips_survived("all.otf2", 1);
    expect_flips_survived("all/0.evt", 11);
    expect_flips_survived("all.def", 301);
}

TEST_F(BrokenInputTest, DamageIsReportedWithItsPlace) {
    std::string bytes = file_bytes(archive_ + "/all/1.evt");
    bytes.replace(100000, 40, std::string(40, '\f'));  // Enter, its number of 12 bytes
    write_bytes(archive_ + "/all/1.evt", bytes);
    ArchiveReader reader(archive_);
    u64 delivered = 0;
    const Error error = expect_error([&] {
        reader.read_events(1, [&](const RecordBatch& batch) { delivered += batch.size(); });
    });
    EXPECT_EQ(delivered % ArchiveReader::kBatchSize, 0U);
    EXPECT_GT(delivered, 0U);
    EXPECT_NE(std::string(error.what()).find("truncated or damaged ("), std::string::npos);
    EXPECT_NE(std::string(error.what()).find(" of 40000 records"), std::string::npos)
        << error.what();
}

TEST_F(BrokenInputTest, AnotherNumberOfDefinitions) {
    std::string bytes = file_bytes(archive_ + "/all.otf2");
    for (const int change : {-1, 2}) {
        bytes[38] = static_cast<char>(bytes[38] + change);
        write_bytes(archive_ + "/all.otf2", bytes);
        expect_error(ErrorKind::corrupt, "a different number", [&] { read_everything(archive_); });
    }
}

TEST_F(BrokenInputTest, UnknownEvents) {
    // Chunk header 18 bytes, timestamp 9 bytes, then the type of the first event.
    make_unknown("all/18446744073709551614.evt", 27);
    expect_error(ErrorKind::unsupported, "have 1 record of type 240, which libotf2 here",
                 [&] { read_everything(archive_); });

    ArchiveReader reader(archive_, {true});
    std::size_t delivered = 0;
    reader.read_events(~u64{1}, [&](const RecordBatch& batch) { delivered += batch.size(); });
    EXPECT_EQ(delivered, 1U);
    EXPECT_EQ(reader.unknown_records(), 1U);
}

TEST_F(BrokenInputTest, UnknownDefinitions) {
    make_unknown("all.def", 18);  // the first record after the chunk header
    expect_error(ErrorKind::unsupported, "global definitions", [&] { read_everything(archive_); });
    make_unknown("all/4294967299.def", 18);
    ArchiveReader reader(archive_, {true});
    reader.read_global_definitions(ignore);
    reader.read_local_definitions(4294967299, ignore);
    EXPECT_EQ(reader.unknown_records(), 2U);
}

}  // namespace
}  // namespace tracefold::testing
