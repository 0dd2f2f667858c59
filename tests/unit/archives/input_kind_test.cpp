// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/input_kind.hpp"

#include "archives/archive_source.hpp"
#include "base/error.hpp"
#include "support/sample_file.hpp"
#include "support/test_directory.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace tracefold::testing {
namespace {

namespace fs = std::filesystem;

const std::string kSamples = TRACEFOLD_SAMPLES;
const std::string kUserArchive = kSamples + "/micro-user-4";

class InputKindTest : public ::testing::Test {
  protected:
    std::string write(const std::string& name, const std::string& bytes) const {
        const fs::path path = scratch_ / name;
        fs::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << bytes;
        return path.string();
    }

    /// What is said about a path; empty if it passes.
    template <class Check>
    static std::string refusal(const Check& check, const std::string& path) {
        try {
            check(path);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::unsupported) << path;
            return error.what();
        }
        return "";
    }
    static std::string refusal(const std::string& path) {
        return refusal(refuse_foreign_input, path);
    }

    TestDirectory scratch_;
};

TEST_F(InputKindTest, ArchivesAreFoldersAndAnchors) {
    EXPECT_TRUE(is_archive(kUserArchive));
    EXPECT_TRUE(is_archive(kUserArchive + "/traces.otf2"));
    EXPECT_TRUE(is_archive("nowhere.otf2"));
    EXPECT_FALSE(is_archive("nowhere.tfold"));
    for (const std::string& path :
         {kUserArchive, kUserArchive + "/traces.otf2", kUserArchive + "/none"}) {
        EXPECT_EQ(refusal(path), "");
        EXPECT_EQ(refusal(refuse_all_but_archives, path), "");
    }
}

TEST_F(InputKindTest, FoldedFilesAreKnownByTheirContent) {
    SampleFile sample("micro-user-4");
    const std::string path = (scratch_ / "run.otf2").string();
    fs::copy_file(sample->container().path(), path);
    EXPECT_FALSE(is_archive(path));
    EXPECT_EQ(refusal(path), "");
    EXPECT_NE(refusal(refuse_all_but_archives, path).find("run.otf2 is already folded"),
              std::string::npos);
}

TEST_F(InputKindTest, FilesOfAnArchiveNameTheirAnchor) {
    for (const char* file : {"traces.def", "traces/0.evt", "traces/0.def"}) {
        const std::string text = refusal(kUserArchive + "/" + file);
        EXPECT_NE(text.find("give its anchor file " + kUserArchive + "/traces.otf2"),
                  std::string::npos)
            << text;
    }
    EXPECT_NE(
        refusal(kUserArchive + "/traces").find("anchor file " + kUserArchive + "/traces.otf2"),
        std::string::npos);
    EXPECT_NE(
        refusal(kUserArchive + "/traces/").find("anchor file " + kUserArchive + "/traces.otf2"),
        std::string::npos);
    EXPECT_NE(refusal(write("lost/3.evt", "x")).find("whose name ends in .otf2"),
              std::string::npos);
}

TEST_F(InputKindTest, AnchorsOfRelativePathsAreRelative) {
    const fs::path before = fs::current_path();
    fs::current_path(kUserArchive + "/traces");
    EXPECT_NE(refusal("0.evt").find("anchor file ../traces.otf2"), std::string::npos);
    fs::current_path(kUserArchive);
    EXPECT_NE(refusal("traces/0.evt").find("anchor file traces.otf2"), std::string::npos);
    fs::current_path(before);
}

TEST_F(InputKindTest, OtherFormatsAreNamed) {
    EXPECT_NE(refusal(write("run.otf", "x")).find("OTF 1"), std::string::npos);
    EXPECT_NE(refusal(write("profile.cubex", "x")).find("Cube"), std::string::npos);
}

TEST_F(InputKindTest, PackedArchivesAreKnownByTheirContent) {
    using namespace std::string_literals;
    const std::string tar = std::string(257, '\0') + "ustar\0"s + std::string(200, '\0');
    for (const std::string& bytes :
         {"\x1F\x8B\x08 gzip"s,
          "\xFD"
          "7zXZ\0 xz"s,
          "BZh9 bzip2"s, "\x28\xB5\x2F\xFD zstd"s, "PK\x03\x04 zip"s, tar}) {
        EXPECT_NE(refusal(write("run", bytes)).find("is a packed archive; unpack it"),
                  std::string::npos)
            << bytes;
    }
    EXPECT_EQ(refusal(write("notes.txt", "B")), "");
    EXPECT_EQ(refusal(write("empty", "")), "");
}

TEST_F(InputKindTest, FoldersWithoutArchive) {
    fs::create_directory(scratch_ / "empty");
    EXPECT_NE(refusal((scratch_ / "empty").string()).find("is empty"), std::string::npos);
    write("other/notes.txt", "x");
    EXPECT_EQ(refusal((scratch_ / "other").string()), "") << "the reader has a sentence for it";
}

TEST(ArchiveOutlineTest, KnowsRanksAndLocations) {
    const ArchiveOutline plain = outline_archive(kUserArchive, {});
    EXPECT_EQ(plain.ranks, 4U);
    EXPECT_FALSE(plain.has_threads);
    const ArchiveOutline hybrid = outline_archive(kSamples + "/micro-omphyb-4", {});
    EXPECT_EQ(hybrid.ranks, 4U);
    EXPECT_TRUE(hybrid.has_threads);
}

}  // namespace
}  // namespace tracefold::testing
