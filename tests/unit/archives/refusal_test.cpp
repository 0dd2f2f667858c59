// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/archive_source.hpp"
#include "archives/detail/verify.hpp"
#include "model/definition_table.hpp"
#include "support/expect_error.hpp"
#include "unit/archives/archive_round_trip.hpp"

namespace tracefold::testing {
namespace {

namespace fs = std::filesystem;

class PipelineRefusalTest : public PipelineTest {
  protected:
    void expect_nothing_left(const std::set<std::string>& expected = {}) {
        std::set<std::string> names;
        for (const auto& entry : fs::directory_iterator(scratch_ / "")) {
            names.insert(entry.path().filename().string());
        }
        names.erase("a");
        EXPECT_EQ(names, expected);
    }
};

TEST_F(PipelineRefusalTest, KeepsAnExistingOutput) {
    write_text(file_, "precious");
    EXPECT_EQ(error_of([&] { fold(fold_options(archive_, file_)); }, "a.tfold"), ErrorKind::io);
    EXPECT_EQ(file_bytes(file_), "precious");
    expect_nothing_left({"a.tfold"});
    CompressOptions options = fold_options(archive_, file_);
    options.force = true;
    fold(options);
    EXPECT_NO_THROW(TraceFile file(file_));
}

TEST_F(PipelineRefusalTest, KeepsTheArchive) {
    const std::string anchor = archive_ + "/all.otf2";
    const std::string bytes = file_bytes(anchor);
    fs::create_hard_link(anchor, scratch_ / "link");
    for (const std::string& output :
         {anchor, archive_ + "/../a/all.otf2", (scratch_ / "link").string()}) {
        CompressOptions options = fold_options(archive_, output);
        options.force = true;
        EXPECT_EQ(error_of([&] { fold(options); }, "is the input"), ErrorKind::usage);
    }
    EXPECT_EQ(file_bytes(anchor), bytes);
    expect_nothing_left({"link"});
}

TEST_F(PipelineRefusalTest, LeavesNothingBehindAfterDamage) {
    const std::string events = archive_ + "/all/1.evt";
    fs::resize_file(events, fs::file_size(events) / 2);
    EXPECT_EQ(error_of([&] { fold(fold_options(archive_, file_)); }, "location 1 "),
              ErrorKind::corrupt);
    expect_nothing_left();
}

TEST_F(PipelineRefusalTest, KeepsAnExistingDirectory) {
    fold(fold_options(archive_, file_));
    write_text(scratch_ / "back/notes", "mine");
    EXPECT_EQ(error_of([&] { unfold(file_, scratch_ / "back"); }, "already exists"), ErrorKind::io);
    EXPECT_EQ(names_below(scratch_ / "back"), std::set<std::string>{"notes"});
    expect_nothing_left({"a.tfold", "back"});
}

TEST_F(PipelineRefusalTest, FillsAnEmptyDirectory) {
    fold(fold_options(archive_, file_));
    fs::create_directory(scratch_ / "back");
    unfold(file_, scratch_ / "back/");
    EXPECT_EQ(names_below(scratch_ / "back"), names_below(archive_));
    expect_nothing_left({"a.tfold", "back"});
}

TEST_F(PipelineRefusalTest, ReplacesAnEarlierArchiveByForce) {
    fold(fold_options(archive_, file_));
    write_text(scratch_ / "back/all.otf2", "an old anchor");
    write_text(scratch_ / "back/all/99.evt", "a location of the old archive");
    unfold(file_, scratch_ / "back", true);
    EXPECT_EQ(names_below(scratch_ / "back"), names_below(archive_));
    EXPECT_EQ(file_bytes(scratch_ / "back/all.otf2"), file_bytes(archive_ + "/all.otf2"));
    expect_nothing_left({"a.tfold", "back"});
}

TEST_F(PipelineRefusalTest, NeverReplacesWhatIsOfNoArchive) {
    fold(fold_options(archive_, file_));
    const auto refuses = [&](const std::string& foreign) {
        write_text(scratch_ / ("back/" + foreign), "mine");
        const std::set<std::string> before = names_below(scratch_ / "back");
        const std::string part = ": " + foreign + " in it does not belong to an earlier output";
        EXPECT_EQ(error_of([&] { unfold(file_, scratch_ / "back", true); }, part), ErrorKind::io);
        EXPECT_EQ(names_below(scratch_ / "back"), before);
        fs::remove(scratch_ / ("back/" + foreign));
    };
    fs::create_directory(scratch_ / "back");
    EXPECT_EQ(error_of(
                  [&] {
                      write_text(scratch_ / "back/all/1.evt", "of an archive without an anchor");
                      unfold(file_, scratch_ / "back", true);
                  },
                  ": all in it does not belong"),
              ErrorKind::io);
    fs::remove_all(scratch_ / "back");
    unfold(file_, scratch_ / "back");
    for (const char* foreign : {"notes", "all/main.c", "all/007.evt", "src/x", "other.otf2"}) {
        refuses(foreign);
    }
    fs::create_symlink("../a.tfold", scratch_ / "back/all/link");
    EXPECT_EQ(error_of([&] { unfold(file_, scratch_ / "back", true); }, ": all/link in it"),
              ErrorKind::io);
    expect_nothing_left({"a.tfold", "back"});
}

TEST_F(PipelineRefusalTest, LeavesNothingBehindAfterADamagedFile) {
    fold(fold_options(archive_, file_));
    const TraceFile file(file_);
    const Section* ticks = file.container().find(SectionKind::ticks, 1);
    ASSERT_NE(ticks, nullptr);
    std::string bytes = file_bytes(file_);
    bytes[ticks->offset + ticks->stored_size / 2] ^= 1;
    write_text(file_, bytes);
    EXPECT_EQ(error_of([&] { unfold(file_, scratch_ / "back"); }, "checksum"), ErrorKind::corrupt);
    expect_nothing_left({"a.tfold"});
}

/// A file made of one archive, held against another that differs in one place.
class PipelineVerifyTest : public PipelineTest {
  protected:
    void SetUp() override {
        PipelineTest::SetUp();
        fold(fold_options(archive_, file_));
    }

    /// Verifies all that the file holds against an archive of the changed records.
    ErrorKind verify_changed(const std::string& part) {
        write_archive(all_, scratch_ / "changed");
        TraceFile file(file_);
        ArchiveSource source(scratch_ / "changed");
        return error_of(
            [&] {
                verify_definitions(file, source);
                for (u32 i = 0; i < file.location_count(); ++i) {
                    verify_location(file, source, i, {});
                }
            },
            part);
    }

    /// The batch, its record number `at` by another time.
    static RecordBatch with_time(const RecordBatch& batch, std::size_t at, u64 time) {
        RecordBatch changed;
        for (const auto& head : batch.heads()) changed.append(batch, head);
        changed.set_time(at, time);
        return changed;
    }

    /// The batch without its record number `at`.
    static RecordBatch without(const RecordBatch& batch, std::size_t at) {
        RecordBatch changed;
        for (std::size_t i = 0; i < batch.size(); ++i) {
            if (i != at) changed.append(batch, batch.heads()[i]);
        }
        return changed;
    }
};

/// A recorder, or a copy, replaces or writes to a file of an archive once its folding has begun.
TEST(ChangedArchiveTest, IsNeverMixed) {
    const TestDirectory scratch;
    const std::string archive = scratch / "a";
    const auto replace = [&](const std::string& name) {
        fs::copy_file(archive + "/" + name, scratch / "new");
        fs::rename(scratch / "new", archive + "/" + name);
    };
    const auto append = [&](const std::string& name) {
        std::ofstream(archive + "/" + name, std::ios::binary | std::ios::app) << '\0';
    };
    const std::vector<std::function<void()>> changes = {
        [&] { replace("traces.otf2"); },
        [&] { replace("traces.def"); },
        [&] { replace("traces/3.evt"); },
        [&] { append("traces/3.evt"); },
        [&] { append("traces/0.evt"); },
        [&] { append("traces/2.def"); },
        [&] { fs::remove(archive + "/traces/3.evt"); },
    };
    for (std::size_t i = 0; i < 2 * changes.size(); ++i) {
        fs::remove_all(archive);
        fs::copy(std::string(TRACEFOLD_SAMPLES) + "/micro-pcoll-4", archive,
                 fs::copy_options::recursive);
        CompressOptions options = fold_options(archive, scratch / "a.tfold");
        options.threads = 1;
        options.verify = i % 2 == 0;
        bool done = false;
        options.progress = [&](u64 /*records*/) {
            if (!std::exchange(done, true)) changes[i / 2]();
        };
        expect_error(ErrorKind::io, "was replaced or written to while it was read",
                     [&] { fold(options); });
        EXPECT_TRUE(done);
        EXPECT_EQ(scratch.entries(), 1) << i;
    }
}

TEST_F(PipelineVerifyTest, AcceptsTheArchive) {
    TraceFile file(file_);
    ArchiveSource source(archive_);
    EXPECT_NO_THROW(verify_definitions(file, source));
    for (u32 i = 0; i < file.location_count(); ++i) {
        EXPECT_NO_THROW(verify_location(file, source, i, {})) << i;
    }
}

TEST_F(PipelineVerifyTest, SeesATick) {
    const RecordBatch& events = all_.events.at(1);
    all_.events[1] = with_time(events, events.size() - 1, events.heads().back().time + 1);
    EXPECT_EQ(verify_changed("events of location 1 "), ErrorKind::mismatch);
}

TEST_F(PipelineVerifyTest, SeesAMissingEvent) {
    all_.events[1] = without(all_.events.at(1), all_.events.at(1).size() - 1);
    EXPECT_EQ(verify_changed("events of location 1 "), ErrorKind::mismatch);
}

TEST_F(PipelineVerifyTest, SeesAnAdditionalEvent) {
    RecordBatch events = without(all_.events.at(1), ~std::size_t{0});
    events.append(events, events.heads().back());
    all_.events[1] = std::move(events);
    EXPECT_EQ(verify_changed("events of location 1 "), ErrorKind::mismatch);
}

TEST_F(PipelineVerifyTest, SeesAChangedField) {
    RecordBatch events = without(all_.events.at(1), all_.events.at(1).size() - 1);
    const RecordBatch::Head last = all_.events.at(1).heads().back();
    events.begin(last.type, last.time);
    for (const u64 value : all_.events.at(1).values(last)) events.push(value + 1);
    all_.events[1] = std::move(events);
    EXPECT_EQ(verify_changed("events of location 1 "), ErrorKind::mismatch);
}

TEST_F(PipelineVerifyTest, SeesALocalDefinition) {
    all_.local_definitions[0] = without(all_.local_definitions.at(0), 0);
    EXPECT_EQ(verify_changed("local definitions of location 0 "), ErrorKind::mismatch);
}

TEST_F(PipelineVerifyTest, SeesAMissingFile) {
    all_.local_definitions.erase(0);
    EXPECT_EQ(verify_changed("files have changed"), ErrorKind::mismatch);
}

TEST_F(PipelineVerifyTest, SeesAGlobalDefinition) {
    RecordBatch& batch = all_.global_definitions;
    batch.begin(static_cast<u8>(DefinitionType::String));
    batch.push(12345);
    batch.push_text("one more");
    ++all_.info.global_definition_count;
    EXPECT_EQ(verify_changed("global definitions"), ErrorKind::mismatch);
}

}  // namespace
}  // namespace tracefold::testing
