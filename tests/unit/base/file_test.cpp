// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/file.hpp"

#include "support/expect_error.hpp"
#include "support/test_directory.hpp"

#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tracefold {
namespace {

namespace fs = std::filesystem;

TEST(InputFileTest, ReadsPiecesAtAnyOffset) {
    const TestDirectory scratch;
    put_file(scratch / "a", std::string("0123\0 6789", 10));
    const InputFile file(scratch / "a");
    EXPECT_EQ(file.size(), 10U);
    EXPECT_EQ(file.read_at(6, 4), "6789");
    EXPECT_EQ(file.read_at(0, 6), std::string("0123\0 ", 6));
    EXPECT_EQ(file.read_at(10, 0), "");
    EXPECT_EQ(read_whole_file(scratch / "a").size(), 10U);
}

TEST(InputFileTest, ReadsEmptyFiles) {
    const TestDirectory scratch;
    put_file(scratch / "empty", "");
    EXPECT_EQ(read_whole_file(scratch / "empty"), "");
}

TEST(InputFileTest, RefusesRangesBeyondTheEnd) {
    const TestDirectory scratch;
    put_file(scratch / "a", "0123456789");
    const InputFile file(scratch / "a");
    expect_error(ErrorKind::corrupt,
                 "a is too short: 4 bytes are needed at byte 7, but it has only",
                 [&] { (void)file.read_at(7, 4); });
    expect_error(ErrorKind::corrupt, "too short", [&] { (void)file.read_at(11, 0); });
    expect_error(ErrorKind::corrupt, "too short", [&] { (void)file.read_at(0, ~u64{0}); });
    expect_error(ErrorKind::corrupt, "too short", [&] { (void)file.read_at(~u64{0}, 2); });
}

TEST(InputFileTest, NoticesAFileThatShrinks) {
    const TestDirectory scratch;
    put_file(scratch / "a", "0123456789");
    const InputFile file(scratch / "a");
    fs::resize_file(scratch / "a", 5);
    expect_error(ErrorKind::io, "it was truncated while being read",
                 [&] { (void)file.read_at(0, 10); });
}

TEST(InputFileTest, RefusesWhatIsNotARegularFile) {
    const TestDirectory scratch;
    const fs::path missing = scratch / "missing";
    expect_error(ErrorKind::io, "cannot read " + missing.string() + ": No such file or directory",
                 [&] { const InputFile file(missing); });
    expect_error(ErrorKind::io, "it is a directory", [&] { const InputFile file(scratch.path()); });
    ASSERT_EQ(::mkfifo((scratch / "pipe").c_str(), 0600), 0);
    expect_error(ErrorKind::io, "it is not a regular file",
                 [&] { const InputFile file(scratch / "pipe"); });
}

TEST(InputFileTest, KnowsWhetherItWasWrittenToOrReplaced) {
    const TestDirectory scratch;
    put_file(scratch / "in", "first");
    const InputFile file(scratch / "in");
    EXPECT_FALSE(file.has_changed());
    EXPECT_FALSE(file.was_replaced());
    put_file(scratch / "other", "second");
    fs::rename(scratch / "other", scratch / "in");
    EXPECT_FALSE(file.has_changed());
    EXPECT_TRUE(file.was_replaced());
    EXPECT_EQ(file.read_at(0, file.size()), "first");
    fs::remove(scratch / "in");
    EXPECT_TRUE(file.was_replaced());
    put_file(scratch / "longer", "first");
    const InputFile longer(scratch / "longer");
    std::ofstream(scratch / "longer", std::ios::app) << "!";
    EXPECT_TRUE(longer.has_changed());
    EXPECT_FALSE(longer.was_replaced());
}

TEST(InputFileTest, KnowsTheHolesOfAFile) {
    constexpr u64 kBlock = u64{1} << 16U;
    const TestDirectory scratch;
    put_file(scratch / "in", std::string(kBlock, 'a'));
    const InputFile plain(scratch / "in");
    EXPECT_EQ(plain.next_data(5), 5U);
    EXPECT_EQ(plain.data_within(5, 7), 7U);
    fs::resize_file(scratch / "in", 100 * kBlock);
    SharedFile(scratch / "in").write_at(50 * kBlock, std::string(kBlock, 'b'));
    const InputFile sparse(scratch / "in");
    if (sparse.next_data(kBlock) == kBlock) GTEST_SKIP() << "the file system has no holes";
    EXPECT_EQ(sparse.next_data(1), 1U);
    EXPECT_EQ(sparse.next_data(kBlock), 50 * kBlock);
    EXPECT_EQ(sparse.next_data(51 * kBlock), 100 * kBlock);
    EXPECT_EQ(sparse.data_within(0, 10 * kBlock), kBlock);
    EXPECT_EQ(sparse.data_within(0, 51 * kBlock), 51 * kBlock);
    EXPECT_EQ(sparse.data_within(0, 60 * kBlock), 51 * kBlock);
    EXPECT_EQ(sparse.data_within(60 * kBlock, kBlock), 0U);
}

mode_t mode_of(const fs::path& path) {
    struct stat status {};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    return status.st_mode & 0777U;
}

TEST(AtomicFileTest, AppearsWholeAtCommit) {
    const TestDirectory scratch;
    AtomicFile file(scratch / "out");
    file.write("head");
    file.write_at(10, "tail");
    file.write("!");
    file.write_at(0, "H");
    EXPECT_EQ(file.size(), 15U);
    EXPECT_FALSE(fs::exists(scratch / "out"));
    file.commit();
    EXPECT_EQ(read_whole_file(scratch / "out"), std::string("Head\0\0\0\0\0\0tail!", 15));
    EXPECT_EQ(scratch.entries(), 1);
}

TEST(AtomicFileTest, TheTemporaryLiesBesideTheTarget) {
    const TestDirectory scratch;
    const AtomicFile file(scratch / "out");
    EXPECT_EQ(file.path(), scratch / "out");
    const std::string begin = scratch / ("out.part-" + std::to_string(::getpid()));
    EXPECT_TRUE(file.temporary_path().string().starts_with(begin)) << file.temporary_path();
    EXPECT_TRUE(fs::exists(file.temporary_path()));
}

TEST(AtomicFileTest, VanishesWithoutCommit) {
    const TestDirectory scratch;
    {
        AtomicFile file(scratch / "out");
        file.write("half");
        EXPECT_EQ(scratch.entries(), 1);
    }
    EXPECT_EQ(scratch.entries(), 0);
}

TEST(AtomicFileTest, RefusesAnExistingTargetWithoutForce) {
    const TestDirectory scratch;
    put_file(scratch / "out", "old");
    expect_error(ErrorKind::io,
                 (scratch / "out").string() + " already exists; use --force to overwrite it",
                 [&] { const AtomicFile file(scratch / "out"); });
    EXPECT_EQ(read_whole_file(scratch / "out"), "old");
    EXPECT_EQ(scratch.entries(), 1);
}

TEST(AtomicFileTest, RefusesATargetThatAppearsBeforeCommit) {
    const TestDirectory scratch;
    {
        AtomicFile file(scratch / "out");
        put_file(scratch / "out", "other");
        expect_error(ErrorKind::io, "already exists", [&] { file.commit(); });
    }
    EXPECT_EQ(read_whole_file(scratch / "out"), "other");
    EXPECT_EQ(scratch.entries(), 1);
}

TEST(AtomicFileTest, ForceReplacesAtCommitOnly) {
    const TestDirectory scratch;
    put_file(scratch / "out", "old");
    { const AtomicFile dropped(scratch / "out", true); }
    EXPECT_EQ(read_whole_file(scratch / "out"), "old");
    AtomicFile file(scratch / "out", true);
    file.write("new");
    EXPECT_EQ(read_whole_file(scratch / "out"), "old");
    file.commit();
    EXPECT_EQ(read_whole_file(scratch / "out"), "new");
    EXPECT_EQ(scratch.entries(), 1);
}

TEST(AtomicFileTest, ForceKeepsASymbolicLinkAndReplacesItsTarget) {
    const TestDirectory scratch;
    fs::create_directory(scratch / "dir");
    put_file(scratch / "dir/real", "old");
    fs::create_symlink("dir/real", scratch / "link");
    AtomicFile file(scratch / "link", true);
    file.write("new");
    file.commit();
    EXPECT_TRUE(fs::is_symlink(scratch / "link"));
    EXPECT_EQ(read_whole_file(scratch / "dir/real"), "new");
}

TEST(AtomicFileTest, NeverReplacesDirectoriesAndDevices) {
    const TestDirectory scratch;
    for (const bool force : {false, true}) {
        expect_error(ErrorKind::io, "it is a directory",
                     [&] { const AtomicFile file(scratch.path(), force); });
        expect_error(ErrorKind::io, "cannot write /dev/null: it is not a regular file",
                     [&] { const AtomicFile file("/dev/null", force); });
    }
}

TEST(AtomicFileTest, AMissingDirectoryIsNoticedAtOnce) {
    const TestDirectory scratch;
    const fs::path target = scratch / "missing/out";
    expect_error(ErrorKind::io, "cannot create " + target.string() + ": No such file or directory",
                 [&] { const AtomicFile file(target); });
}

TEST(AtomicFileTest, AnUnwritableDirectoryIsNoticedAtOnce) {
    const TestDirectory scratch;
    fs::permissions(scratch.path(), fs::perms::owner_read | fs::perms::owner_exec);
    if (::access(scratch.path().c_str(), W_OK) == 0) {
        GTEST_SKIP() << "this user may write everywhere";
    }
    expect_error(ErrorKind::io, "Permission denied",
                 [&] { const AtomicFile file(scratch / "out"); });
}

TEST(AtomicFileTest, KeepsTheModeOfWhatItReplaces) {
    const TestDirectory scratch;
    put_file(scratch / "out", "old");
    for (const mode_t mode : {0600U, 0444U, 0664U}) {
        ASSERT_EQ(::chmod((scratch / "out").c_str(), mode), 0);
        AtomicFile file(scratch / "out", true);
        EXPECT_EQ(mode_of(file.temporary_path()) & ~(mode | 0600U), 0U);
        file.commit();
        EXPECT_EQ(mode_of(scratch / "out"), mode);
    }
    AtomicFile file(scratch / "out", true, Access::owner_only);
    EXPECT_EQ(mode_of(file.temporary_path()), 0600U);
    file.commit();
    EXPECT_EQ(mode_of(scratch / "out"), 0600U);
}

TEST(SharedFileTest, SeveralWritersFillOneFile) {
    const TestDirectory scratch;
    AtomicFile file(scratch / "out");
    SharedFile second(file.temporary_path());
    SharedFile third(file.temporary_path());
    third.write_at(6, "third");
    file.write("f");
    second.write_at(1, "secnd");
    second.finish();
    third.finish();
    file.commit();
    EXPECT_EQ(read_whole_file(scratch / "out"), "fsecndthird");
}

TEST(SharedFileTest, DoesNotCreateFiles) {
    const TestDirectory scratch;
    expect_error(ErrorKind::io, "No such file or directory",
                 [&] { const SharedFile file(scratch / "missing"); });
    EXPECT_EQ(scratch.entries(), 0);
}

TEST(SharedFileTest, AFullDiskGivesOneClearSentence) {
    const SharedFile file("/dev/full");
    expect_error(
        ErrorKind::io,
        "cannot write /dev/full: the disk is full; free some space or choose another place",
        [&] { file.write_at(0, "x"); });
}

TEST(SameFileTest, SeesThroughNames) {
    const TestDirectory scratch;
    put_file(scratch / "a", "same");
    put_file(scratch / "b", "same");
    fs::create_symlink("a", scratch / "symbolic");
    fs::create_hard_link(scratch / "a", scratch / "hard");
    EXPECT_TRUE(same_file(scratch / "a", scratch / "./a"));
    EXPECT_TRUE(same_file(scratch / "a", scratch / "symbolic"));
    EXPECT_TRUE(same_file(scratch / "a", scratch / "hard"));
    EXPECT_FALSE(same_file(scratch / "a", scratch / "b"));
    EXPECT_FALSE(same_file(scratch / "a", scratch / "missing"));
    EXPECT_FALSE(same_file(scratch / "missing", scratch / "missing"));
}

}  // namespace
}  // namespace tracefold
