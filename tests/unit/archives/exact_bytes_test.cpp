// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/older_files.hpp"
#include "support/section_content.hpp"
#include "unit/archives/archive_round_trip.hpp"

#include <utility>

namespace tracefold::testing {
namespace {

namespace fs = std::filesystem;

/// A recorded archive in "a", whose files a test changes.
class ExactBytesTest : public ::testing::Test {
  protected:
    void SetUp() override {
        fs::copy(std::string(TRACEFOLD_SAMPLES) + "/micro-pcoll-4", archive_,
                 fs::copy_options::recursive);
    }

    /// Folds and restores the archive: every byte must come back.
    CompressReport expect_every_byte(const CompressOptions& options) {
        const CompressReport report = fold(options);
        EXPECT_TRUE(report.exact_bytes);
        unfold(file_, back_);
        EXPECT_EQ(names_below(back_), names_below(archive_));
        for (const std::string& name : names_below(archive_)) {
            if (fs::is_directory(archive_ + "/" + name)) continue;
            EXPECT_EQ(file_bytes(back_ + "/" + name), file_bytes(archive_ + "/" + name)) << name;
        }
        return report;
    }
    CompressReport expect_every_byte() { return expect_every_byte(options()); }

    CompressOptions options() {
        CompressOptions options = fold_options(archive_, file_);
        options.force = true;
        return options;
    }

    u64 kept_size() {
        const TraceFile file(file_);
        const Section* kept = file.container().find(SectionKind::kept_bytes);
        return kept == nullptr ? 0 : kept->stored_size;
    }
    std::size_t kept_files() { return TraceFile(file_).kept_bytes().value().files().size(); }

    /// As if another libotf2 had been there when the file was made.
    void replace_checksum() {
        const ContainerReader before(file_);
        AtomicFile out(scratch_ / "other.tfold");
        ContainerWriter writer(out, 1);
        for (const Section& section : before.sections()) {
            std::string content = content_of(before, section);
            if (section.kind == SectionKind::kept_bytes) content = ByteDifferences({}, 1).encode();
            writer.add(section.kind, section.index, StoredSection{content, content.size()});
        }
        writer.finish();
        out.commit();
        fs::rename(scratch_ / "other.tfold", file_);
    }

    [[nodiscard]] std::string events(int location) const {
        return archive_ + "/traces/" + std::to_string(location) + ".evt";
    }

    TestDirectory scratch_;
    std::string archive_ = scratch_ / "a";
    std::string file_ = scratch_ / "a.tfold";
    std::string back_ = scratch_ / "back";
};

class VersionTest : public ExactBytesTest,
                    public ::testing::WithParamInterface<std::pair<unsigned, unsigned>> {};

TEST_P(VersionTest, ComesBackByteByByte) {
    make_version(archive_, GetParam().first, GetParam().second);
    expect_every_byte();
    // What all records of a type lack is said once.
    EXPECT_LT(kept_size(), 200U);
    EXPECT_EQ(kept_files() != 0, GetParam().first < 3);
}

INSTANTIATE_TEST_SUITE_P(Releases, VersionTest,
                         ::testing::Values(std::pair(1U, 0U), std::pair(1U, 1U), std::pair(1U, 3U),
                                           std::pair(2U, 0U), std::pair(2U, 3U), std::pair(3U, 0U),
                                           std::pair(3U, 1U), std::pair(3U, 2U),
                                           std::pair(3U, 9U)));

TEST_F(ExactBytesTest, KeepsFieldsThatNobodyKnowsYet) {
    constexpr unsigned kLocationGroup = 13;
    lengthen_definitions(archive_, kLocationGroup, "\x01\x07");
    make_version(archive_, 3, 9);
    expect_every_byte();
    EXPECT_GT(kept_size(), 0U);
    EXPECT_LT(kept_size(), 60U);
}

TEST_F(ExactBytesTest, KeepsWhatFollowsTheEndMark) {
    append_to_all_files(archive_, "\n");
    const CompressReport report = expect_every_byte();
    EXPECT_EQ(report.kept_files, 9U);
}

TEST_F(ExactBytesTest, KeepsFilesThatLibotf2CannotWrite) {
    // The first of two timestamps that differ is made larger than the second.
    change_file(events(1), [](std::string bytes) {
        constexpr std::size_t kFirstTimestamp = 18;
        EXPECT_EQ(bytes[kFirstTimestamp], '\5');
        bytes[kFirstTimestamp + 8] = '\x7F';
        return bytes;
    });
    EXPECT_EQ(expect_every_byte().kept_files, 1U);
}

TEST_F(ExactBytesTest, KeepsRecordsOfUnknownTypes) {
    change_file(events(2), [](std::string bytes) {
        return bytes.substr(0, bytes.size() - 2) + std::string("\xC8\x02hi", 4) +
               bytes.substr(bytes.size() - 2);
    });
    EXPECT_EQ(error_of([&] { fold(options()); }, "1 record of type 200"), ErrorKind::unsupported);
    CompressOptions dropping = options();
    dropping.drop_unknown = true;
    EXPECT_EQ(expect_every_byte(dropping).dropped_unknown_records, 1U);
}

TEST_F(ExactBytesTest, LeavesBytesOutWhenAsked) {
    make_version(archive_, 2, 3);
    CompressOptions records_only = options();
    records_only.exact_bytes = false;
    EXPECT_FALSE(fold(records_only).exact_bytes);
    EXPECT_FALSE(TraceFile(file_).summary().exact_bytes);
    EXPECT_EQ(kept_size(), 0U);
    unfold(file_, back_);
    EXPECT_EQ(file_bytes(back_ + "/traces.otf2"), file_bytes(archive_ + "/traces.otf2"));
    EXPECT_NE(file_bytes(back_ + "/traces.def"), file_bytes(archive_ + "/traces.def"));
}

TEST_F(ExactBytesTest, KeepsNothingWithoutEveryTick) {
    make_version(archive_, 2, 3);
    for (const TimingLevel timing :
         {TimingLevel::none, TimingLevel::histogram, TimingLevel::quantized}) {
        CompressOptions coarse = options();
        coarse.timing = timing;
        EXPECT_FALSE(fold(coarse).exact_bytes);
        EXPECT_FALSE(TraceFile(file_).summary().exact_bytes);
        EXPECT_EQ(kept_size(), 0U);
    }
}

TEST_F(ExactBytesTest, ProvesTheBytesOfFilesOfWhichNothingIsKept) {
    fold(options());
    EXPECT_EQ(kept_files(), 0U);
    EXPECT_NE(TraceFile(file_).kept_bytes()->checksum(), 0U);
    replace_checksum();
    EXPECT_EQ(error_of([&] { unfold(file_, back_); }, "not the bytes of the original"),
              ErrorKind::unsupported);
    EXPECT_FALSE(fs::exists(back_));
    TraceFile file(file_);
    restore_archive(file, back_, false, {}, 1, RestoredFiles::same_records);
    EXPECT_EQ(file_bytes(back_ + "/traces.def"), file_bytes(archive_ + "/traces.def"));
}

TEST_F(ExactBytesTest, GivesRecordsWithoutWhatIsKept) {
    make_version(archive_, 2, 3);
    fold(options());
    TraceFile file(file_);
    const u64 events = restore_archive(file, back_, false, {}, 1, RestoredFiles::same_records);
    EXPECT_NE(file_bytes(back_ + "/traces.def"), file_bytes(archive_ + "/traces.def"));
    CompressOptions again = fold_options(back_, scratch_ / "again.tfold");
    again.exact_bytes = false;
    EXPECT_EQ(fold(again).events, events);
}

TEST_F(ExactBytesTest, LeavesNoScratchFiles) {
    append_to_all_files(archive_, "\n");
    fold(options());
    const std::set<std::string> names = names_below(scratch_ / "");
    for (const std::string& name : names) {
        EXPECT_TRUE(name.starts_with("a")) << name;
    }
}

}  // namespace
}  // namespace tracefold::testing
