// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/definition_table.hpp"
#include "support/record_builder.hpp"
#include "unit/archives/archive_round_trip.hpp"

namespace tracefold::testing {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kNothing{};

TEST_F(PipelineTest, GivesBackAnArchiveWithEveryKindOfRecord) { EXPECT_EQ(lost_files(), kNothing); }

TEST_F(PipelineTest, ReportsWhatItDid) {
    const CompressReport report = fold(fold_options(archive_ + "/all.otf2", file_));
    u64 events = 0;
    for (const auto& [location, batch] : all_.events) events += batch.size();
    EXPECT_EQ(report.events, events);
    EXPECT_EQ(report.locations, all_.locations.size());
    EXPECT_EQ(report.file_bytes, fs::file_size(file_));
    EXPECT_EQ(report.dropped_clock_offsets, 0U);
    EXPECT_EQ(unfold(file_, scratch_ / "back"), events);
}

TEST_F(PipelineTest, WritesTheSameBytesAgain) {
    fold(fold_options(archive_, file_));
    fold(fold_options(archive_, scratch_ / "again.tfold"));
    EXPECT_EQ(file_bytes(file_), file_bytes(scratch_ / "again.tfold"));
}

TEST_F(PipelineTest, KeepsRecordsWithoutTimes) {
    CompressOptions options = fold_options(archive_, file_);
    options.timing = TimingLevel::none;
    const CompressReport report = fold(options);
    EXPECT_EQ(report.dropped_clock_offsets, 3U);
    unfold(file_, scratch_ / "back");
    ArchiveReader reader(scratch_ / "back");
    EXPECT_EQ(location_ids(reader), all_.locations);
    for (const auto& [location, batch] : all_.events) {
        RecordBatch read;
        reader.read_events(location, [&](const RecordBatch& part) {
            for (const auto& head : part.heads()) read.append(part, head);
        });
        EXPECT_TRUE(same_records(Stream::events, batch, read)) << location;
        for (std::size_t i = 1; i < read.size(); ++i) {
            ASSERT_EQ(read.heads()[i].time, read.heads()[i - 1].time + 1) << i;
        }
    }
    u64 offsets = 0;
    reader.read_local_definitions(0, [&](const RecordBatch& batch) {
        for (const auto& head : batch.heads()) {
            offsets += head.type == static_cast<u8>(DefinitionType::ClockOffset) ? 1 : 0;
        }
    });
    EXPECT_EQ(offsets, 0U);
}

TEST_F(PipelineTest, GivesBackCompanionFiles) {
    write_text(archive_ + "/all.marker", "markers");
    write_text(archive_ + "/all/0.snap", "snapshots");
    write_text(archive_ + "/all/0.thumb", std::string(100000, '\0'));
    write_text(archive_ + "/all/77.evt", "events of a location without a definition");
    write_text(archive_ + "/scorep.cfg", "not asked for");
    EXPECT_EQ(lost_files(), kNothing);
    EXPECT_FALSE(fs::exists(scratch_ / "back/scorep.cfg"));
    EXPECT_TRUE(fs::exists(scratch_ / "back/all/77.evt"));
}

TEST_F(PipelineTest, GivesBackExtraFilesIfAskedTo) {
    write_text(archive_ + "/scorep.cfg", "SCOREP_ENABLE_TRACING=true\n");
    write_text(archive_ + "/deep/in/a folder/empty", "");
    CompressOptions options = fold_options(archive_, file_);
    options.with_extra_files = true;
    fold(options);
    unfold(file_, scratch_ / "back");
    EXPECT_EQ(names_below(scratch_ / "back"), names_below(archive_));
    EXPECT_EQ(file_bytes(scratch_ / "back/scorep.cfg"), "SCOREP_ENABLE_TRACING=true\n");
}

TEST_F(PipelineTest, DoesNotCarryItsOwnOutput) {
    write_text(archive_ + "/scorep.cfg", "x");
    CompressOptions options = fold_options(archive_, archive_ + "/run.tfold");
    options.with_extra_files = true;
    fold(options);
    unfold(options.output, scratch_ / "back");
    std::set<std::string> expected = names_below(archive_);
    expected.erase("run.tfold");
    EXPECT_EQ(names_below(scratch_ / "back"), expected);
}

TEST_F(PipelineTest, KeepsTheNameOfTheArchive) {
    all_.info.name = "another name.x";
    archive_ = scratch_ / "named";
    write_archive(all_, archive_);
    EXPECT_EQ(lost_files(), kNothing);
    EXPECT_TRUE(fs::exists(scratch_ / "back/another name.x.otf2"));
}

TEST_F(PipelineTest, GivesBackAnArchiveWithoutLocations) {
    AllRecords empty;
    empty.info.name = "empty";
    empty.info.version = all_.info.version;
    empty.info.substrate = all_.info.substrate;
    empty.info.compression = all_.info.compression;
    empty.info.event_chunk_size = all_.info.event_chunk_size;
    empty.info.definition_chunk_size = all_.info.definition_chunk_size;
    archive_ = scratch_ / "empty";
    write_archive(empty, archive_);
    EXPECT_EQ(lost_files(), kNothing);
}

/// Several locations in each group, with sparse and huge ids, some without files.
TEST_F(PipelineTest, GivesBackThreadsAndSparseLocations) {
    constexpr u64 kGroups = 3;
    constexpr u64 kThreads = 4;
    AllRecords threads;
    threads.info = all_.info;
    RecordBuilder events;
    for (int i = 0; i < 50; ++i) events.enter(Region::user).leave(Region::user);
    for (u64 group = 0; group < kGroups; ++group) {
        for (u64 thread = 0; thread < kThreads; ++thread) {
            const u64 id = group | thread << 40U;
            const bool silent = thread == 2;
            RecordBatch& batch = threads.global_definitions;
            batch.begin(static_cast<u8>(DefinitionType::Location));
            const u64 count = silent ? 0 : events.batch().size();
            for (const u64 value : {id, u64{0}, u64{1}, count, group}) batch.push(value);
            threads.locations.push_back(id);
            if (!silent) threads.events[id] = events.batch();
        }
    }
    threads.info.global_definition_count = threads.locations.size();
    threads.info.location_count = threads.locations.size();
    archive_ = scratch_ / "threads";
    write_archive(threads, archive_);
    EXPECT_EQ(lost_files(), kNothing);
    unfold(file_, scratch_ / "by five", false, 5);
    EXPECT_EQ(differing_files(ArchiveReader(archive_), scratch_ / "by five"), kNothing);
    EXPECT_EQ(names_below(scratch_ / "by five"), names_below(archive_));
}

TEST_F(PipelineTest, CountsLocationsInTheAnchorWhateverTheThreads) {
    CompressOptions options = fold_options(archive_, file_);
    options.timing = TimingLevel::none;
    fold(options);
    for (const u32 threads : {1U, 3U}) {
        const std::string back = scratch_ / std::to_string(threads);
        unfold(file_, back, false, threads);
        EXPECT_EQ(ArchiveReader(back).info().location_count, all_.locations.size()) << threads;
    }
}

TEST_F(PipelineTest, LeavesNothingIfAThreadFails) {
    fold(fold_options(archive_, file_));
    const TraceFile whole(file_);
    const Section* ticks = nullptr;
    for (const Section& section : whole.container().sections()) {
        if (section.kind == SectionKind::ticks) ticks = &section;
    }
    ASSERT_NE(ticks, nullptr);
    std::fstream damage(file_, std::ios::binary | std::ios::in | std::ios::out);
    damage.seekp(static_cast<std::streamoff>(ticks->offset));
    damage << std::string(ticks->stored_size, '?') << std::flush;
    for (const u32 threads : {1U, 3U}) {
        const auto restore = [&] { unfold(file_, scratch_ / "back", false, threads); };
        EXPECT_EQ(error_of(restore, "ticks"), ErrorKind::corrupt);
        EXPECT_FALSE(fs::exists(scratch_ / "back"));
    }
}

std::vector<std::string> sample_names() {
    std::vector<std::string> names;
    for (const auto& folder : fs::directory_iterator(TRACEFOLD_SAMPLES)) {
        if (!folder.is_directory()) continue;
        for (const auto& entry : fs::directory_iterator(folder.path())) {
            if (entry.path().extension() == ".otf2") names.push_back(folder.path().filename());
        }
    }
    return names;
}

TEST(PipelineSamplesTest, GivesBackEverySample) {
    const std::vector<std::string> names = sample_names();
    ASSERT_FALSE(names.empty());
    for (const std::string& name : names) {
        SCOPED_TRACE(name);
        const TestDirectory scratch;
        const std::string archive = std::string(TRACEFOLD_SAMPLES) + "/" + name;
        fold(fold_options(archive, scratch / "a.tfold"));
        const ArchiveReader reader(archive);
        for (const u32 threads : {1U, 3U}) {
            const std::string back = scratch / std::to_string(threads);
            unfold(scratch / "a.tfold", back, false, threads);
            EXPECT_EQ(differing_files(reader, back), kNothing) << threads;
        }
    }
}

}  // namespace
}  // namespace tracefold::testing
