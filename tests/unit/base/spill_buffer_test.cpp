// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/hash.hpp"
#include "base/ordered_parts.hpp"
#include "support/expect_error.hpp"
#include "support/test_directory.hpp"

#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

std::string pieces_of(const SpillBuffer& buffer) {
    std::string all;
    buffer.for_each_piece([&](std::string_view piece) {
        EXPECT_FALSE(piece.empty());
        all += piece;
    });
    return all;
}

void expect_content(const SpillBuffer& buffer, const std::string& expected) {
    ASSERT_EQ(buffer.size(), expected.size());
    EXPECT_EQ(pieces_of(buffer), expected);
    for (std::size_t offset = 0; offset <= expected.size(); ++offset) {
        for (std::size_t count = 0; count <= expected.size() - offset; ++count) {
            ASSERT_EQ(buffer.read(offset, count), expected.substr(offset, count));
        }
    }
}

TEST(SpillBufferTest, StaysInMemoryUpToTheLimit) {
    SpillBuffer buffer("/a/directory/that/is/missing", 8);
    expect_content(buffer, "");
    buffer.append("0123");
    buffer.append("4567");
    expect_content(buffer, "01234567");
    EXPECT_EQ(buffer.spilled(), 0U);
}

TEST(SpillBufferTest, SpillsBeyondTheLimitAndKeepsTheOrder) {
    const TestDirectory scratch;
    SpillBuffer buffer(scratch.path(), 8);
    std::string expected;
    for (const std::string piece : {"0123", "4567", "8", "", "9abcdefg", "a long piece", "z"}) {
        buffer.append(piece);
        expected += piece;
        expect_content(buffer, expected);
    }
    EXPECT_GT(buffer.spilled(), 8U);
    EXPECT_LE(buffer.size() - buffer.spilled(), 8U);
}

TEST(SpillBufferTest, ALongFirstPieceGoesToTheFileAtOnce) {
    const TestDirectory scratch;
    SpillBuffer buffer(scratch.path(), 4);
    buffer.append("0123456789");
    EXPECT_EQ(buffer.spilled(), 10U);
    expect_content(buffer, "0123456789");
}

TEST(SpillBufferTest, WithoutMemoryEverythingIsSpilled) {
    const TestDirectory scratch;
    SpillBuffer buffer(scratch.path(), 0);
    buffer.append("a");
    buffer.append("bc");
    EXPECT_EQ(buffer.spilled(), 3U);
    expect_content(buffer, "abc");
}

TEST(SpillBufferTest, TheFileHasNoName) {
    const TestDirectory scratch;
    SpillBuffer buffer(scratch.path(), 1);
    buffer.append("more than that");
    EXPECT_GT(buffer.spilled(), 0U);
    EXPECT_EQ(scratch.entries(), 0);
}

TEST(SpillBufferTest, KeepsLittleInMemoryAfterTheFirstSpill) {
    const TestDirectory scratch;
    constexpr std::size_t kMiB = std::size_t{1} << 20U;
    SpillBuffer buffer(scratch.path(), 3 * kMiB);
    std::string expected;
    for (u64 i = 0; i < 1000; ++i) {
        const std::string piece(mix(i) % 10000, static_cast<char>('a' + i % 26));
        buffer.append(piece);
        expected += piece;
    }
    ASSERT_GT(expected.size(), 4 * kMiB);
    EXPECT_LE(buffer.size() - buffer.spilled(), kMiB);
    EXPECT_EQ(buffer.size(), expected.size());
    EXPECT_EQ(pieces_of(buffer), expected);
    EXPECT_EQ(buffer.read(buffer.spilled() - 5, 10), expected.substr(buffer.spilled() - 5, 10));
}

TEST(SpillBufferTest, CanBeMoved) {
    const TestDirectory scratch;
    SpillBuffer first(scratch.path(), 2);
    first.append("0123");
    first.append("4");
    const SpillBuffer second = std::move(first);
    expect_content(second, "01234");
}

TEST(SpillBufferTest, RefusesToReadBeyondTheEnd) {
    const TestDirectory scratch;
    SpillBuffer buffer(scratch.path(), 2);
    buffer.append("0123");
    EXPECT_THROW((void)buffer.read(0, 5), Error);
    EXPECT_THROW((void)buffer.read(5, 0), Error);
    EXPECT_THROW((void)buffer.read(~u64{0}, 2), Error);
}

TEST(SpillBufferTest, NamesADirectoryThatCannotBeUsed) {
    SpillBuffer buffer("/a/directory/that/is/missing", 2);
    expect_error(ErrorKind::io,
                 "cannot create a temporary file in /a/directory/that/is/missing: No such file",
                 [&] { buffer.append("0123"); });
}

}  // namespace
}  // namespace tracefold
