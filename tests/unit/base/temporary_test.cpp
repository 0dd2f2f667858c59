// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/temporary.hpp"

#include "support/expect_error.hpp"
#include "support/test_directory.hpp"

#include <optional>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tracefold {
namespace {

namespace fs = std::filesystem;

/// Makes a file and a folder for the place in another process, which is killed then.
void leave_temporaries(const fs::path& place) {
    const pid_t child = ::fork();
    if (child == 0) {
        const Temporary file = Temporary::file(place);
        const Temporary folder = Temporary::folder(place);
        put_file(folder.path() / "inner/part", "part");
        ::_exit(0);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

TEST(TemporaryTest, GoesWhenItIsDestroyed) {
    const TestDirectory scratch;
    {
        const Temporary file = Temporary::file(scratch / "out");
        Temporary folder = Temporary::folder(scratch / "out");
        const Temporary moved = std::move(folder);
        put_file(moved.path() / "inner/part", "part");
        EXPECT_TRUE(fs::is_regular_file(file.path()));
        EXPECT_EQ(scratch.entries(), 2);
    }
    EXPECT_EQ(scratch.entries(), 0);
}

TEST(TemporaryTest, FoldersWithNamesOfTheirOwnGoToo) {
    const TestDirectory scratch;
    {
        const Temporary unique = Temporary::unique_folder((scratch / "files-XXXXXX").string());
        const std::optional<Temporary> named = Temporary::named_folder(scratch / "named");
        ASSERT_TRUE(named);
        EXPECT_FALSE(Temporary::named_folder(scratch / "named"));
        EXPECT_EQ(named->path(), scratch / "named");
        put_file(unique.path() / "inner/part", "part");
        EXPECT_TRUE(is_in_temporary(unique.path() / "inner"));
        EXPECT_EQ(scratch.entries(), 2);
    }
    EXPECT_EQ(scratch.entries(), 0);
    put_file(scratch / "file", "a file");
    EXPECT_THROW(Temporary::named_folder(scratch / "file"), Error);
    EXPECT_THROW(Temporary::unique_folder((scratch / "missing/files-XXXXXX").string()), Error);
    EXPECT_THROW(Temporary::named_folder(scratch / "missing/named"), Error);
}

TEST(TemporaryTest, TheNextOneRemovesWhatAKilledProcessLeft) {
    const TestDirectory scratch;
    leave_temporaries(scratch / "out");
    EXPECT_EQ(scratch.entries(), 2);
    const Temporary other = Temporary::file(scratch / "other");
    EXPECT_EQ(scratch.entries(), 3) << "these are of another output";
    const Temporary next = Temporary::file(scratch / "out");
    EXPECT_EQ(scratch.entries(), 2);
}

TEST(TemporaryTest, WhatMayBeSomebodysStays) {
    const TestDirectory scratch;
    put_file(scratch / "out.part-1-00000000", "of another machine, or from before its last start");
    put_file(scratch / "out.part-1", "of nobody knows whom");
    const Temporary mine = Temporary::file(scratch / "out");
    const pid_t child = ::fork();
    if (child == 0) {
        const Temporary other = Temporary::file(scratch / "out");
        ::_exit(scratch.entries() == 4 ? 0 : 1);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0) << "a file of a living process is gone";
    EXPECT_TRUE(fs::exists(scratch / "out.part-1-00000000"));
    EXPECT_TRUE(fs::exists(scratch / "out.part-1"));
}

TEST(ScratchFolderTest, GivesAdviceThatFitsTheCause) {
    const TestDirectory scratch;
    const std::string missing = scratch / "missing";
    expect_error(ErrorKind::io, "No such file or directory; set TMPDIR",
                 [&] { const ScratchFolder folder(missing); });
    expect_error(ErrorKind::io, "No such file or directory; choose another place",
                 [&] { const ScratchFolder folder(missing, ScratchFolder::kOtherOutput); });
    // The folder can be written, but not opened any more.
    const pid_t child = ::fork();
    if (child == 0) {
        const rlimit few{0, 0};
        ::setrlimit(RLIMIT_NOFILE, &few);
        std::string words;
        try {
            const ScratchFolder folder(scratch.path().string());
        } catch (const Error& error) {
            words = error.what();
        }
        ::_exit(words.ends_with("Too many open files") ? 0 : 1);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

TEST(TemporaryTest, KnowsWhatLiesInOne) {
    const TestDirectory scratch;
    const Temporary folder = Temporary::folder(scratch / "out");
    EXPECT_TRUE(is_in_temporary(folder.path() / "inner/part"));
    EXPECT_FALSE(is_in_temporary(folder.path()));
    EXPECT_FALSE(is_in_temporary(folder.path().string() + "-1/part"));
    EXPECT_FALSE(is_in_temporary(scratch / "out"));
}

}  // namespace
}  // namespace tracefold
