// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/publication.hpp"

#include "base/atomic_directory.hpp"
#include "base/file.hpp"
#include "support/expect_error.hpp"
#include "support/test_directory.hpp"

#include <chrono>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>

namespace tracefold {
namespace {

namespace fs = std::filesystem;

void write_file(const fs::path& path, const std::string& bytes) {
    AtomicFile file(path, true);
    file.write(bytes);
    file.commit();
}

TEST(PublicationTest, OutputsWaitForIt) {
    const TestDirectory scratch;
    put_file(scratch / "old", "old");
    Publication publication;
    write_file(scratch / "old", "new");
    write_file(scratch / "new", "new");
    {
        AtomicDirectory folder(scratch / "folder", false);
        write_file(folder.path() + "/part", "new");
        EXPECT_TRUE(fs::exists(folder.path() + "/part")) << "a part has its place at once";
        folder.commit();
    }
    EXPECT_EQ(read_whole_file(scratch / "old"), "old");
    EXPECT_FALSE(fs::exists(scratch / "new"));
    EXPECT_FALSE(Publication::is_done());
    publication.publish();
    EXPECT_TRUE(Publication::is_done());
    EXPECT_EQ(read_whole_file(scratch / "old"), "new");
    EXPECT_EQ(read_whole_file(scratch / "new"), "new");
    EXPECT_EQ(read_whole_file(scratch / "folder/part"), "new");
    EXPECT_EQ(scratch.entries(), 3);
}

TEST(PublicationTest, WithoutItNothingChanges) {
    const TestDirectory scratch;
    put_file(scratch / "old", "old");
    {
        const Publication publication;
        write_file(scratch / "old", "new");
        write_file(scratch / "new", "new");
        EXPECT_EQ(scratch.entries(), 3);
    }
    EXPECT_EQ(read_whole_file(scratch / "old"), "old");
    EXPECT_EQ(scratch.entries(), 1);
}

TEST(PublicationTest, IfOneCannotBePlacedNoneIs) {
    const TestDirectory scratch;
    put_file(scratch / "old", "old");
    {
        Publication publication;
        write_file(scratch / "old", "new");
        write_file(scratch / "new", "new");
        AtomicFile late(scratch / "late");
        late.commit();
        put_file(scratch / "late", "of somebody else");
        expect_error(ErrorKind::io, "late already exists", [&] { publication.publish(); });
        EXPECT_FALSE(Publication::is_done());
    }
    EXPECT_EQ(read_whole_file(scratch / "old"), "old");
    EXPECT_EQ(read_whole_file(scratch / "late"), "of somebody else");
    EXPECT_EQ(scratch.entries(), 2);
}

TEST(PublicationTest, OutputsThatWaitKeepTheirPlace) {
    const TestDirectory scratch;
    const Publication publication;
    write_file(scratch / "out", "new");
    expect_error(ErrorKind::usage, "would be mixed with the output",
                 [&] { const AtomicFile second(scratch / "out", true); });
}

TEST(PublicationTest, SeveralOutputsWaitForThoseOfAnother) {
    const TestDirectory scratch;
    const FileDescriptor other(::open((scratch / "").c_str(), O_RDONLY | O_DIRECTORY), "folder");
    ASSERT_EQ(::flock(other.get(), LOCK_EX), 0);
    Publication publication;
    AtomicFile(scratch / "one").commit();
    AtomicFile(scratch / "two").commit();
    std::thread publishing([&publication] { publication.publish(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_FALSE(std::filesystem::exists(scratch / "one"));
    ASSERT_EQ(::flock(other.get(), LOCK_UN), 0);
    publishing.join();
    EXPECT_TRUE(std::filesystem::exists(scratch / "one"));
    EXPECT_TRUE(std::filesystem::exists(scratch / "two"));
}

}  // namespace
}  // namespace tracefold
