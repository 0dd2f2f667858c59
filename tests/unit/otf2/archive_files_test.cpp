// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/archive_files.hpp"

#include "otf2/archive_reader.hpp"
#include "support/expect_error.hpp"
#include "support/otf2_all_records.hpp"
#include "support/otf2_copy.hpp"
#include "support/test_directory.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace tracefold::testing {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class ArchiveFilesTest : public ::testing::Test {
  protected:
    void SetUp() override { write_archive(all_, folder_); }

    void create(const std::string& file) {
        const fs::path path = fs::path(folder_) / file;
        fs::create_directories(path.parent_path());
        std::ofstream(path) << file;
    }

    AllRecords all_ = make_all_records();
    TestDirectory scratch_;
    std::string folder_ = scratch_ / "a";
};

TEST_F(ArchiveFilesTest, FindsTheAnchorOfAFolder) {
    EXPECT_EQ(ArchiveReader(folder_).info().anchor_path, folder_ + "/all.otf2");
    EXPECT_EQ(ArchiveReader(folder_ + "/all.otf2").info().directory, folder_);
}

TEST_F(ArchiveFilesTest, ListsTheAnchorsOfAFolderWithSeveral) {
    create("more.otf2");
    expect_error(ErrorKind::usage, "name one of all.otf2, more.otf2",
                 [&] { ArchiveReader reader(folder_); });
    EXPECT_EQ(ArchiveReader(folder_ + "/all.otf2").info().name, "all");
}

TEST_F(ArchiveFilesTest, TellsPartsCompanionsAndOthersApart) {
    ArchiveReader reader(folder_);
    EXPECT_EQ(reader.companion_files(all_.locations), Names{});
    EXPECT_EQ(reader.extra_files(), Names{});
    for (const char* file : {"all.marker", "all.0.thumb", "all/0.snap", "all/99.evt", "all/99.def",
                             "scorep.cfg", "all.marker.txt", "all/notes", "all/007.evt",
                             "profile/a.cubex", "other/0.evt", "all.x.thumb"}) {
        create(file);
    }
    EXPECT_EQ(reader.companion_files(all_.locations),
              (Names{"all.0.thumb", "all.marker", "all/0.snap", "all/99.def", "all/99.evt"}));
    EXPECT_EQ(reader.extra_files(),
              (Names{"all.marker.txt", "all.x.thumb", "all/007.evt", "all/notes", "other/0.evt",
                     "profile/a.cubex", "scorep.cfg"}));
}

TEST_F(ArchiveFilesTest, FindsTheFilesOfLocations) {
    const std::string empty = scratch_ / "empty";
    EXPECT_TRUE(ArchiveFiles(empty, "all").of_locations().events.empty());
    for (const char* file : {"b/all/7.evt", "b/all/12.evt", "b/all/7.def", "b/all/007.def",
                             "b/all/x.evt", "b/all/12.snap", "b/other/9.evt", "b/8.evt"}) {
        create(file);
    }
    fs::create_symlink("nowhere", folder_ + "/b/all/9.evt");
    fs::create_symlink("7.def", folder_ + "/b/all/9.def");
    const LocationFiles found = ArchiveFiles(folder_ + "/b", "all").of_locations();
    EXPECT_EQ(found.events, (std::vector<u64>{7, 12}));
    EXPECT_EQ(found.local_definitions, (std::vector<u64>{7, 9}));
    EXPECT_TRUE(found.has_events(12));
    EXPECT_FALSE(found.has_events(9));
    EXPECT_TRUE(found.has_local_definitions(9));
    EXPECT_FALSE(found.has_local_definitions(12));
}

TEST_F(ArchiveFilesTest, AFolderThatCannotBeListedIsAnError) {
    fs::remove_all(folder_ + "/all");
    EXPECT_TRUE(ArchiveFiles(folder_, "all").of_locations().events.empty());
    fs::create_directory_symlink("all", folder_ + "/all");  // leads to itself
    expect_error(ErrorKind::io, "cannot list the folder",
                 [&] { (void)ArchiveFiles(folder_, "all").of_locations(); });
}

TEST_F(ArchiveFilesTest, CopiesCompanionsAsBytes) {
    create("all.marker");
    create("all/99.evt");
    ArchiveReader reader(folder_);
    copy_archive(reader, scratch_ / "b");
    EXPECT_EQ(differing_files(reader, scratch_ / "b"), Names{});
    EXPECT_EQ(file_bytes(scratch_ / "b/all/99.evt"), "all/99.evt");
}

}  // namespace
}  // namespace tracefold::testing
