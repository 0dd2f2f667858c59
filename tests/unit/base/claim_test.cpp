// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/atomic_directory.hpp"
#include "base/file.hpp"
#include "base/publication.hpp"
#include "support/expect_error.hpp"
#include "support/test_directory.hpp"

#include <optional>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

namespace fs = std::filesystem;

void expect_refused(const fs::path& output, const std::string& words) {
    expect_error(ErrorKind::usage, words, [&] { const AtomicFile file(output, true); });
}

TEST(InputClaimTest, KeepsTheInputUnderAnyName) {
    const TestDirectory scratch;
    put_file(scratch / "in", "precious");
    fs::create_symlink("in", scratch / "symbolic");
    fs::create_hard_link(scratch / "in", scratch / "hard");
    fs::create_directory_symlink(".", scratch / "here");
    std::optional<InputClaim> claim(scratch / "in");
    for (const char* name : {"in", "symbolic", "hard", "here/in", "./in"}) {
        expect_refused(scratch / name, std::string(name) + " is the input ");
    }
    EXPECT_EQ(read_whole_file(scratch / "in"), "precious");
    EXPECT_EQ(scratch.entries(), 4);
    claim.reset();
    EXPECT_NO_THROW(AtomicFile(scratch / "in", true));
}

TEST(InputClaimTest, NotesFilesThatAreReplaced) {
    const TestDirectory scratch;
    for (const char* name : {"kept", "replaced", "removed"}) put_file(scratch / name, "in");
    {
        const InputClaim kept(scratch / "kept");
        const InputClaim replaced(scratch / "replaced");
        const InputClaim removed(scratch / "removed");
        const InputClaim folder(scratch.path());
        put_file(scratch / "other", "in");
        fs::rename(scratch / "other", scratch / "replaced");
        fs::remove(scratch / "removed");
    }
    EXPECT_EQ(replaced_inputs(), (std::set<fs::path>{scratch / "removed", scratch / "replaced"}));
    EXPECT_TRUE(replaced_inputs().empty());
}

TEST(InputClaimTest, KeepsWhatIsInAFolder) {
    const TestDirectory scratch;
    put_file(scratch / "in/part", "precious");
    const InputClaim claim(scratch / "in");
    expect_refused(scratch / "in/part", "is a part of the input");
    EXPECT_NO_THROW(AtomicFile(scratch / "in/new"));
}

TEST(InputClaimTest, KeepsTheFoldersAboveIt) {
    const TestDirectory scratch;
    put_file(scratch / "out/inner/in", "precious");
    const InputClaim claim(scratch / "out/inner/in");
    expect_error(ErrorKind::usage, "holds the input", [&] {
        const AtomicDirectory folder(scratch / "out", true,
                                     {"in", [](const auto&) { return true; }});
    });
}

TEST(OutputClaimTest, OutputsKeepApart) {
    const TestDirectory scratch;
    fs::create_directory_symlink(".", scratch / "here");
    std::optional<AtomicDirectory> folder(std::in_place, scratch / "out", false);
    for (const char* name : {"out", "here/out", "out/names"}) {
        expect_refused(scratch / name, "would be mixed with the output");
    }
    EXPECT_NO_THROW(AtomicFile(scratch / "out2"));
    folder.reset();
    EXPECT_NO_THROW(AtomicFile(scratch / "out"));
}

}  // namespace
}  // namespace tracefold
