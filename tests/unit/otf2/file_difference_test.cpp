// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/file_difference.hpp"

#include "base/error.hpp"
#include "support/otf2_all_records.hpp"
#include "support/random_source.hpp"
#include "support/test_directory.hpp"

#include <fstream>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold::testing {
namespace {

class FileDifferenceTest : public ::testing::Test {
  protected:
    /// The events of a location, or the global definitions.
    EncodedFile encode(bool events) {
        const RecordBatch& records = events ? all_.events.at(0) : all_.global_definitions;
        return {FileEncoder(events ? Stream::events : Stream::global_definitions, kChunk, "a file"),
                [&records, done = false](RecordBatch& batch) mutable {
                    if (std::exchange(done, true)) return false;
                    batch = records;
                    return true;
                }};
    }

    std::string bytes_of(bool events) {
        EncodedFile file = encode(events);
        std::string bytes;
        for (auto chunk = file.next_chunk(); !chunk.empty(); chunk = file.next_chunk()) {
            bytes += chunk;
        }
        return bytes;
    }

    void write(const std::string& bytes) {
        std::ofstream(original_, std::ios::binary | std::ios::trunc) << bytes;
    }

    std::string difference(bool events) {
        EncodedFile file = encode(events);
        return file_difference(file, original_);
    }

    std::string apply(bool events, const std::string& difference) {
        EncodedFile file = encode(events);
        std::string bytes;
        apply_difference(file, difference, [&bytes](std::string_view piece) { bytes += piece; });
        return bytes;
    }

    /// The size of the difference between a file and these bytes, which must come back.
    std::size_t expect_back(bool events, const std::string& bytes) {
        write(bytes);
        const std::string found = difference(events);
        EXPECT_TRUE(apply(events, found) == bytes);
        return found.size();
    }

    static constexpr u64 kChunk = u64{1} << 20U;

    AllRecords all_ = make_all_records();
    TestDirectory scratch_;
    std::string original_ = scratch_ / "original";
};

TEST_F(FileDifferenceTest, OfEqualFilesIsNothing) {
    EXPECT_LT(expect_back(false, bytes_of(false)), 8U);
    EXPECT_LT(expect_back(true, bytes_of(true)), 8U);
}

TEST_F(FileDifferenceTest, OfFilesThatHaveNothingInCommonIsTheOther) {
    for (const std::string other : {"", "x", "\2\1", "no archive at all"}) {
        EXPECT_LT(expect_back(true, other), other.size() + 10);
    }
}

/// True if the pieces are the file.
bool is_same(const std::string& path, const std::vector<std::string>& pieces, u64& checksum) {
    FileComparison file(path);
    for (const std::string& piece : pieces) file.add(piece);
    const bool same = file.finish();
    checksum = file.checksum();
    return same;
}

TEST_F(FileDifferenceTest, TellsOtherFiles) {
    const std::string bytes = bytes_of(true);
    const std::string much(3 * kChunk + 5, 'x');
    for (const std::string& content : {bytes, bytes + "x", much}) {
        write(content);
        FileChecksum expected;
        for (std::size_t at = 0; at < content.size(); at += 1000) {
            expected.add(std::string_view(content).substr(at, 1000));
        }
        u64 checksum = 0;
        EXPECT_EQ(is_same(original_, {bytes}, checksum), content == bytes);
        EXPECT_EQ(checksum, expected.value());
        const std::string start = content.substr(0, content.size() / 2);
        EXPECT_TRUE(is_same(original_, {start, content.substr(start.size())}, checksum));
        EXPECT_EQ(checksum, expected.value());
        EXPECT_FALSE(is_same(original_, {start}, checksum));
        EXPECT_FALSE(is_same(original_, {content, "x"}, checksum));
        EXPECT_EQ(checksum, expected.value());
    }
}

/// Bytes removed, added and changed at random places.
std::string damaged(std::string bytes, RandomSource& random) {
    const u64 changes = random.between(1, 6);
    for (u64 i = 0; i < changes; ++i) {
        const std::size_t at = random.below(bytes.size());
        const std::size_t size = random.below(12);
        switch (random.below(3)) {
            case 0:
                bytes.erase(at, size);
                break;
            case 1:
                bytes.insert(at, size, static_cast<char>(random.below(256)));
                break;
            default:
                bytes[at] = static_cast<char>(random.below(256));
        }
        if (bytes.empty()) bytes = "x";
    }
    return bytes;
}

TEST_F(FileDifferenceTest, OfAnyFilesGivesTheOriginalBack) {
    RandomSource random(18);
    const std::string definitions = bytes_of(false);
    const std::string events = bytes_of(true);
    for (int i = 0; i < 150; ++i) {
        expect_back(false, damaged(definitions, random));
        expect_back(true, damaged(events, random));
    }
}

TEST_F(FileDifferenceTest, ThatIsDamagedIsAnError) {
    RandomSource random(3);
    write(damaged(bytes_of(true), random));
    const std::string right = difference(true);
    u64 refused = 0;
    for (int i = 0; i < 300; ++i) {
        try {
            apply(true, damaged(right, random));
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::corrupt) << error.what();
            ++refused;
        }
    }
    EXPECT_GT(refused, 100U);
}

}  // namespace
}  // namespace tracefold::testing
