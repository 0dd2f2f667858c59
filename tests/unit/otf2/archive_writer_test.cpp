// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/archive_writer.hpp"

#include "base/temporary.hpp"
#include "model/definition_table.hpp"
#include "model/event_table.hpp"
#include "otf2/archive_reader.hpp"
#include "support/expect_error.hpp"
#include "support/otf2_all_records.hpp"
#include "support/otf2_copy.hpp"
#include "support/test_directory.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <thread>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

namespace tracefold::testing {
namespace {

namespace fs = std::filesystem;

RecordBatch enter(u64 time, std::initializer_list<u64> values) {
    RecordBatch batch;
    batch.begin(static_cast<u8>(EventType::Enter), time);
    for (const u64 value : values) batch.push(value);
    return batch;
}

class WriterTest : public ::testing::Test {
  protected:
    TestDirectory scratch_;
    AllRecords all_ = make_all_records();
    std::string target_ = scratch_ / "a";
};

TEST_F(WriterTest, RefusesToOverwrite) {
    write_archive(all_, target_);
    const std::string before = file_bytes(target_ + "/all.otf2");
    expect_error(ErrorKind::io, "exists", [&] { ArchiveWriter writer(target_, all_.info); });
    EXPECT_EQ(file_bytes(target_ + "/all.otf2"), before);
    fs::remove(target_ + "/all.otf2");
    expect_error(ErrorKind::io, "exists", [&] { ArchiveWriter writer(target_, all_.info); });
    all_.info.name = "other";
    write_archive(all_, target_);
    EXPECT_TRUE(fs::exists(target_ + "/other.otf2"));
}

TEST_F(WriterTest, RefusesAFileAsFolder) {
    std::ofstream(target_) << "a file";
    expect_error(ErrorKind::io, "cannot create the folder",
                 [&] { ArchiveWriter writer(target_, all_.info); });
}

TEST_F(WriterTest, LeavesNoAnchorWithoutFinish) {
    {
        ArchiveWriter writer(target_, all_.info);
        writer.write_global_definitions(all_.global_definitions);
        writer.write_events(0, all_.events.at(0));
    }
    EXPECT_FALSE(fs::exists(target_ + "/all.otf2"));
}

/// Where a file may have so many bytes; returns what the error says.
std::string write_much(const std::string& target, const ArchiveInfo& info, u64 most_bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{most_bytes, most_bytes};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return "no limit";
    try {
        ArchiveWriter writer(target, info);
        for (u64 time = 1; time < 1'500'000; ++time) {
            writer.write_events(0, enter(time << 40U, {0}));
        }
        writer.close_location(0);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST_F(WriterTest, AFullDiskGivesAnErrorWhereverItIsNoticed) {
    for (const u64 megabytes : {0U, 1U, 3U, 4U, 5U, 8U, 9U, 13U}) {
        const std::string target = target_ + std::to_string(megabytes);
        EXPECT_EXIT(
            {
                std::cerr << write_much(target, all_.info, (megabytes << 20U) + 1000);
                std::exit(0);
            },
            ::testing::ExitedWithCode(0), "File too large");
        EXPECT_FALSE(fs::exists(target + "/all.otf2")) << megabytes;
    }
}

/// Makes archives in a temporary folder until a signal, as it were, removes that.
void be_interrupted_at_work(const AllRecords& all, const fs::path& place) {
    const Temporary folder = Temporary::folder(place);
    std::thread([&all, &folder] {
        for (int i = 0;; ++i) {
            try {
                write_archive(all, folder.path().string() + "/" + std::to_string(i));
            } catch (const Error&) {
                // The folder is gone.
            }
        }
    }).detach();
    while (fs::is_empty(folder.path())) std::this_thread::yield();
    remove_temporaries(hold_temporaries());
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ::_exit(0);
}

TEST_F(WriterTest, DoesNotMakeAFolderAgainThatASignalHasRemoved) {
    constexpr int kTimes = 50;
    for (int i = 0; i < kTimes; ++i) {
        EXPECT_EXIT(be_interrupted_at_work(all_, scratch_ / "out"), ::testing::ExitedWithCode(0),
                    "");
        ASSERT_TRUE(fs::is_empty(scratch_ / ""));
    }
}

TEST_F(WriterTest, RestoresTheAnchorOfTheSameArchiveOnly) {
    all_.info.anchor_bytes = "the source's";
    write_archive(all_, target_);
    EXPECT_EQ(file_bytes(target_ + "/all.otf2"), "the source's");

    // Whatever release it names: libotf2 reads files of all of them.
    all_.info.version = {2, 2, 0};
    write_archive(all_, scratch_ / "older");
    EXPECT_EQ(file_bytes(scratch_ / "older/all.otf2"), "the source's");

    all_.info.version = {kOtf2Major, kOtf2Minor, 0};
    all_.info.global_definition_count += 1;
    write_archive(all_, scratch_ / "fewer");
    EXPECT_NE(file_bytes(scratch_ / "fewer/all.otf2"), "the source's");
    EXPECT_EQ(ArchiveReader(scratch_ / "fewer").info().global_definition_count,
              all_.global_definitions.size());
}

TEST_F(WriterTest, KeepsItsOwnAnchorIfAsked) {
    all_.info.anchor_bytes = "the source's";
    ArchiveWriter writer(target_, all_.info, {false});
    writer.write_global_definitions(all_.global_definitions);
    writer.finish();
    EXPECT_NE(file_bytes(target_ + "/all.otf2"), "the source's");
}

TEST_F(WriterTest, KeepsTheNumberOfSnapshots) {
    all_.info.snapshot_count = 3;
    write_archive(all_, target_);
    EXPECT_EQ(ArchiveReader(target_).info().snapshot_count, 3U);
}

TEST_F(WriterTest, TakesRecordsInAnyNumberOfPieces) {
    write_archive(all_, target_);
    all_.info.anchor_bytes = file_bytes(target_ + "/all.otf2");
    {
        ArchiveReader reader(target_);
        ArchiveWriter writer(scratch_ / "b", all_.info);
        const auto into = [&](u64 location) {
            return [&writer, location](const RecordBatch& batch) {
                writer.write_events(location, batch);
            };
        };
        for (const u64 location : {u64{1}, u64{0}, ~u64{1}}) {
            reader.read_events(location, into(location), 3);
        }
        writer.write_events(7, {});
        for (const auto& [location, batch] : all_.local_definitions) {
            writer.write_local_definitions(location, batch);
        }
        writer.write_global_definitions(all_.global_definitions);
        writer.finish();
    }
    EXPECT_EQ(differing_files(ArchiveReader(target_), scratch_ / "b"), std::vector<std::string>{});
}

TEST_F(WriterTest, RefusesToReopenALocation) {
    ArchiveWriter writer(target_, all_.info);
    writer.write_events(0, enter(5, {1}));
    writer.write_events(1, enter(5, {1}));
    expect_error(ErrorKind::internal, "location 0", [&] { writer.write_events(0, enter(6, {1})); });
    writer.write_local_definitions(0, {});
    writer.close_location(0);
    expect_error(ErrorKind::internal, "location 0", [&] { writer.write_local_definitions(0, {}); });
}

TEST_F(WriterTest, RefusesRecordsOfAnotherShape) {
    ArchiveWriter writer(target_, all_.info);
    const auto write = [&](const RecordBatch& batch) {
        return [&writer, batch] { writer.write_events(0, batch); };
    };
    expect_error(ErrorKind::corrupt, "too few values", write(enter(1, {})));
    expect_error(ErrorKind::corrupt, "too many values", write(enter(1, {1, 2})));
    expect_error(ErrorKind::corrupt, "too large for its field region",
                 write(enter(1, {u64{1} << 32})));
    RecordBatch metric;
    metric.begin(static_cast<u8>(EventType::Metric), 1);
    for (const u64 value : {1U, 200U, 8U}) metric.push(value);
    expect_error(ErrorKind::corrupt, "too few values", write(metric));
    RecordBatch unknown;
    unknown.begin(kEventTypes, 1);
    expect_error(ErrorKind::corrupt, "record type 83 has no place there", write(unknown));
}

TEST_F(WriterTest, RefusesDefinitionsInTheWrongPlace) {
    ArchiveWriter writer(target_, all_.info);
    RecordBatch clock;
    clock.begin(static_cast<u8>(DefinitionType::ClockProperties));
    for (int i = 0; i < 4; ++i) clock.push(1);
    writer.write_global_definitions(clock);
    expect_error(ErrorKind::corrupt, "local definitions of location 0",
                 [&] { writer.write_local_definitions(0, clock); });
    RecordBatch offset;
    offset.begin(static_cast<u8>(DefinitionType::ClockOffset));
    for (int i = 0; i < 3; ++i) offset.push(1);
    expect_error(ErrorKind::corrupt, "global definitions",
                 [&] { writer.write_global_definitions(offset); });
}

TEST_F(WriterTest, RefusesTextsThatWouldBeCut) {
    ArchiveWriter writer(target_, all_.info);
    RecordBatch text;
    text.begin(static_cast<u8>(DefinitionType::String));
    text.push(0);
    text.push_text(std::string("a\0b", 3));
    expect_error(ErrorKind::corrupt, "zero byte", [&] { writer.write_global_definitions(text); });
}

TEST_F(WriterTest, RefusesTicksThatDecrease) {
    ArchiveWriter writer(target_, all_.info);
    writer.write_events(0, enter(1000, {1}));
    expect_error(ErrorKind::corrupt, "events of location 0",
                 [&] { writer.write_events(0, enter(999, {1})); });
}

}  // namespace
}  // namespace tracefold::testing
