// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/temporary.hpp"
#include "support/test_directory.hpp"

#include <cerrno>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tracefold {
namespace {

namespace fs = std::filesystem;

TEST(RemovalTest, RemovesFilesAndFolders) {
    const TestDirectory scratch;
    put_file(scratch / "file", "bytes");
    put_file(scratch / "folder/inner/most/file", "bytes");
    put_file(scratch / "folder/file", "bytes");
    EXPECT_FALSE(remove_tree(scratch / "file"));
    EXPECT_FALSE(remove_tree(scratch / "folder"));
    EXPECT_FALSE(remove_tree(scratch / "nothing"));
    EXPECT_EQ(scratch.entries(), 0);
}

TEST(RemovalTest, LinksGoAndWhatTheyLeadToStays) {
    const TestDirectory scratch;
    put_file(scratch / "kept/file", "bytes");
    put_file(scratch / "folder/file", "bytes");
    fs::create_directory_symlink(scratch / "kept", scratch / "folder/link");
    fs::create_directory_symlink(scratch / "kept", scratch / "link");
    EXPECT_FALSE(remove_tree(scratch / "folder"));
    EXPECT_FALSE(remove_tree(scratch / "link"));
    EXPECT_EQ(scratch.entries(), 1);
    EXPECT_TRUE(fs::exists(scratch / "kept/file"));
}

TEST(RemovalTest, TellsWhatCannotBeRemoved) {
    const TestDirectory scratch;
    put_file(scratch / "file", "bytes");
    EXPECT_EQ(remove_tree(scratch / "file/inner"), std::errc::not_a_directory);
}

/// From now on this process can open nothing. False if it cannot be brought about.
bool use_up_descriptors() {
    const rlimit few{64, 64};
    if (::setrlimit(RLIMIT_NOFILE, &few) != 0) return false;
    while (::open("/dev/null", O_RDONLY) >= 0) {
    }
    return errno == EMFILE;
}

/// Runs in another process, since this one would not get its descriptors back.
template <class Work>
void expect_in_child(const Work& work) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(work() ? 0 : 1);
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

TEST(RemovalTest, TemporariesGoWhereNoMoreFilesMayBeOpen) {
    const TestDirectory scratch;
    expect_in_child([&] {
        const Temporary file = Temporary::file(scratch / "file");
        const Temporary folder = Temporary::folder(scratch / "folder");
        const Temporary unique = Temporary::unique_folder((scratch / "own-XXXXXX").string());
        const std::optional<Temporary> named = Temporary::named_folder(scratch / "named");
        if (!named) return false;
        for (const Temporary* one : {&folder, &unique, &*named}) {
            put_file(one->path() / "archive/traces/0.evt", "events");
            put_file(one->path() / "archive/traces.def", "definitions");
        }
        return use_up_descriptors();
    });
    EXPECT_EQ(scratch.entries(), 0);
}

/// A folder that cannot be opened after it was made is no output that was begun.
TEST(RemovalTest, NoTemporaryIsLeftThatCannotBeOpened) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "to look at the objects of exceptions, the sanitizer opens a pipe";
#endif
    const TestDirectory scratch;
    expect_in_child([&] {
        if (!use_up_descriptors()) return false;
        int refused = 0;
        const auto try_to = [&refused](const auto& make) {
            try {
                make();
            } catch (const std::exception&) {
                ++refused;
            }
        };
        try_to([&] { Temporary::file(scratch / "file"); });
        try_to([&] { Temporary::folder(scratch / "folder"); });
        try_to([&] { Temporary::unique_folder((scratch / "own-XXXXXX").string()); });
        try_to([&] { Temporary::named_folder(scratch / "named"); });
        return refused == 4;
    });
    EXPECT_EQ(scratch.entries(), 0);
}

}  // namespace
}  // namespace tracefold
