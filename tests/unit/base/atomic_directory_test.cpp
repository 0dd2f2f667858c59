// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/atomic_directory.hpp"

#include "base/file.hpp"
#include "support/expect_error.hpp"
#include "support/test_directory.hpp"

#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tracefold {
namespace {

namespace fs = std::filesystem;

/// Folders with an anchor and any files whose names begin with "part".
EarlierOutput parts() {
    return {"anchor", [](const std::string& file) {
                return file == "anchor" || file.find("part") != std::string::npos;
            }};
}

TEST(AtomicDirectoryTest, AppearsWholeAtCommit) {
    const TestDirectory scratch;
    {
        AtomicDirectory folder(scratch / "new/out", false);
        put_file(folder.path() + "/a", "new");
        EXPECT_FALSE(fs::exists(scratch / "new/out"));
        folder.commit();
    }
    EXPECT_EQ(read_whole_file(scratch / "new/out/a"), "new");
    { const AtomicDirectory dropped(scratch / "other", false); }
    EXPECT_EQ(scratch.entries(), 1);
}

TEST(AtomicDirectoryTest, ReplacesAnEarlierOutputAsAWhole) {
    const TestDirectory scratch;
    put_file(scratch / "out/anchor", "old");
    put_file(scratch / "out/part1", "old");
    put_file(scratch / "out/inner/part2", "old");
    fs::create_directory_symlink("out", scratch / "link");
    expect_error(ErrorKind::io, "link already exists; use --force to replace an earlier output",
                 [&] { const AtomicDirectory folder(scratch / "link", false, parts()); });
    {
        AtomicDirectory folder(scratch / "link", true, parts());
        put_file(folder.path() + "/anchor", "new");
        EXPECT_EQ(read_whole_file(scratch / "out/anchor"), "old");
        folder.commit();
    }
    EXPECT_TRUE(fs::is_symlink(scratch / "link"));
    EXPECT_EQ(read_whole_file(scratch / "out/anchor"), "new");
    EXPECT_FALSE(fs::exists(scratch / "out/part1"));
    EXPECT_EQ(scratch.entries(), 2);
}

TEST(AtomicDirectoryTest, KeepsTheModesOfWhatItReplaces) {
    const TestDirectory scratch;
    put_file(scratch / "out/anchor", "old");
    fs::permissions(scratch / "out", fs::perms::owner_all);
    fs::permissions(scratch / "out/anchor", fs::perms::owner_read);
    {
        AtomicDirectory folder(scratch / "out", true, parts());
        put_file(folder.path() + "/anchor", "new");
        EXPECT_EQ(fs::status(folder.path()).permissions(), fs::perms::owner_all);
        folder.commit();
    }
    EXPECT_EQ(fs::status(scratch / "out").permissions(), fs::perms::owner_all);
    EXPECT_EQ(fs::status(scratch / "out/anchor").permissions(), fs::perms::owner_read);
    EXPECT_EQ(read_whole_file(scratch / "out/anchor"), "new");
}

TEST(AtomicDirectoryTest, NeverReplacesAnythingElse) {
    const TestDirectory scratch;
    const auto refused = [&](const std::string& words) {
        expect_error(ErrorKind::io, words,
                     [&] { const AtomicDirectory folder(scratch / "out", true, parts()); });
    };
    put_file(scratch / "out/part1", "no anchor");
    refused(
        ": part1 in it does not belong to an earlier output; remove it or choose another place");
    put_file(scratch / "out/anchor", "old");
    fs::create_directory(scratch / "out/empty");
    refused(": empty in it does not belong");
    put_file(scratch / "out/dir/mine", "mine");
    refused(": dir/mine in it does not belong");
    put_file(scratch / "file", "");
    expect_error(ErrorKind::io, "file is a file, and the output is a folder",
                 [&] { const AtomicDirectory folder(scratch / "file", true, parts()); });
}

TEST(AtomicDirectoryTest, WhatComesWhileItIsFilledStays) {
    const TestDirectory scratch;
    put_file(scratch / "out/anchor", "old");
    {
        AtomicDirectory folder(scratch / "out", true, parts());
        AtomicDirectory other(scratch / "other", false);
        put_file(scratch / "out/mine", "mine");
        put_file(scratch / "other/mine", "mine");
        expect_error(ErrorKind::io, ": mine in it does not belong", [&] { folder.commit(); });
        expect_error(ErrorKind::io, "other already exists", [&] { other.commit(); });
    }
    EXPECT_EQ(read_whole_file(scratch / "out/mine"), "mine");
    EXPECT_EQ(read_whole_file(scratch / "other/mine"), "mine");
    EXPECT_EQ(scratch.entries(), 2);
}

/// What is at the place is of one writer as a whole, at every moment.
TEST(AtomicDirectoryTest, WritersAtOnceNeverMix) {
    const TestDirectory scratch;
    constexpr int kWriters = 4;
    for (int writer = 0; writer < kWriters; ++writer) {
        if (::fork() != 0) continue;
        for (int round = 0; round < 25; ++round) {
            AtomicDirectory folder(scratch / "out", true, parts());
            const std::string text = std::to_string(writer * 100 + round);
            for (const char* name : {"/anchor", "/part1", "/part2"}) {
                put_file(folder.path() + name, text);
            }
            folder.commit();
        }
        ::_exit(0);
    }
    int running = kWriters;
    int status = 0;
    while (running > 0) {
        if (::waitpid(-1, &status, WNOHANG) > 0) {
            --running;
            EXPECT_EQ(status, 0);
        }
        const int folder = ::open((scratch / "out").c_str(), O_RDONLY | O_DIRECTORY);
        if (folder < 0) continue;
        char texts[2][8] = {};
        bool whole = true;
        for (int i = 0; i < 2; ++i) {
            const int file = ::openat(folder, i == 0 ? "anchor" : "part2", O_RDONLY);
            whole = whole && file >= 0 && ::read(file, texts[i], sizeof texts[i]) > 0;
            if (file >= 0) ::close(file);
        }
        ::close(folder);
        // A folder that was opened just before it was replaced loses its files.
        if (whole) {
            EXPECT_STREQ(texts[0], texts[1]);
        }
    }
    EXPECT_EQ(scratch.entries(), 1);
}

}  // namespace
}  // namespace tracefold
