// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/file_difference.hpp"

#include "base/error.hpp"
#include "support/otf2_all_records.hpp"
#include "support/otf2_copy.hpp"
#include "support/random_source.hpp"
#include "support/test_directory.hpp"

#include <fstream>

#include <gtest/gtest.h>

namespace tracefold::testing {
namespace {

class FileDifferenceTest : public ::testing::Test {
  protected:
    void SetUp() override { write_archive(make_all_records(), scratch_ / "a"); }

    void write(const std::string& bytes) {
        std::ofstream(original_, std::ios::binary | std::ios::trunc) << bytes;
    }

    /// The size of the difference between a file and these bytes, which must come back.
    std::size_t expect_back(const std::string& file, bool events, const std::string& bytes) {
        const ArchiveFileLayout layout{events, u64{1} << 20U};
        write(bytes);
        const std::string difference = file_difference(file, original_, layout);
        const std::string copy = scratch_ / "copy";
        std::ofstream(copy, std::ios::binary | std::ios::trunc) << file_bytes(file);
        apply_difference(copy, difference, layout);
        EXPECT_EQ(file_bytes(copy), bytes);
        EXPECT_TRUE(same_bytes(copy, original_));
        EXPECT_EQ(file_checksum(copy), file_checksum(original_));
        return difference.size();
    }

    TestDirectory scratch_;
    std::string original_ = scratch_ / "original";
    std::string definitions_ = scratch_ / "a/all.def";
    std::string events_ = scratch_ / "a/all/0.evt";
};

TEST_F(FileDifferenceTest, OfEqualFilesIsNothing) {
    EXPECT_LT(expect_back(definitions_, false, file_bytes(definitions_)), 8U);
    EXPECT_LT(expect_back(events_, true, file_bytes(events_)), 8U);
}

TEST_F(FileDifferenceTest, OfFilesThatHaveNothingInCommonIsTheOther) {
    for (const std::string other : {"", "x", "\2\1", "no archive at all"}) {
        EXPECT_LT(expect_back(events_, true, other), other.size() + 10);
    }
}

TEST_F(FileDifferenceTest, TellsOtherFiles) {
    write(file_bytes(events_) + "x");
    EXPECT_FALSE(same_bytes(events_, original_));
    EXPECT_NE(file_checksum(events_), file_checksum(original_));
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
    const std::string definitions = file_bytes(definitions_);
    const std::string events = file_bytes(events_);
    for (int i = 0; i < 150; ++i) {
        expect_back(definitions_, false, damaged(definitions, random));
        expect_back(events_, true, damaged(events, random));
    }
}

TEST_F(FileDifferenceTest, ThatIsDamagedIsAnError) {
    const ArchiveFileLayout layout{true, u64{1} << 20U};
    RandomSource random(3);
    write(damaged(file_bytes(events_), random));
    const std::string difference = file_difference(events_, original_, layout);
    const std::string copy = scratch_ / "copy";
    u64 refused = 0;
    for (int i = 0; i < 300; ++i) {
        std::ofstream(copy, std::ios::binary | std::ios::trunc) << file_bytes(events_);
        try {
            apply_difference(copy, damaged(difference, random), layout);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::corrupt) << error.what();
            ++refused;
        }
    }
    EXPECT_GT(refused, 100U);
}

}  // namespace
}  // namespace tracefold::testing
