// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/bytes.hpp"
#include "base/error.hpp"
#include "file/byte_differences.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

std::vector<FileDifferences> files() {
    return {{events_file(3), {false, "abc"}},
            {kGlobalDefinitionsFile, {false, "other"}},
            {events_file(1), {false, "abc"}},
            {local_definitions_file(70000), {true, ""}}};
}

TEST(KeptBytesTest, ComesBack) {
    const ByteDifferences kept(files(), 0x0123456789abcdef);
    EXPECT_EQ(ByteDifferences::decode(kept.encode(), "test"), kept);
    EXPECT_EQ(ByteDifferences::decode(ByteDifferences().encode(), "test"), ByteDifferences());
}

TEST(KeptBytesTest, FindsFiles) {
    const ByteDifferences kept(files(), 0x0123456789abcdef);
    EXPECT_EQ(*kept.find(events_file(3)), (ContentDifferences{false, "abc"}));
    EXPECT_EQ(*kept.find(kGlobalDefinitionsFile), (ContentDifferences{false, "other"}));
    EXPECT_EQ(*kept.find(local_definitions_file(70000)), (ContentDifferences{true, ""}));
    EXPECT_EQ(kept.find(events_file(2)), nullptr);
    EXPECT_EQ(kept.find(events_file(70000)), nullptr);
}

TEST(KeptBytesTest, SharesEqualContents) {
    std::vector<FileDifferences> many;
    for (u32 i = 0; i < 1000; ++i) many.push_back({events_file(i), {false, std::string(90, 'x')}});
    EXPECT_LT(ByteDifferences(many, 0).encode().size(), 2200U);
}

TEST(KeptBytesTest, DoesNotDependOnTheOrderOfFiles) {
    std::vector<FileDifferences> turned = files();
    std::swap(turned[0], turned[2]);
    EXPECT_EQ(ByteDifferences(turned, 7).encode(), ByteDifferences(files(), 7).encode());
}

TEST(KeptBytesTest, SharesOfAChecksumDependOnTheFileAndItsNumber) {
    EXPECT_NE(ByteDifferences::share_of(1, 2), ByteDifferences::share_of(2, 1));
    EXPECT_NE(ByteDifferences::share_of(1, 2) + ByteDifferences::share_of(2, 3),
              ByteDifferences::share_of(1, 3) + ByteDifferences::share_of(2, 2));
}

TEST(KeptBytesTest, ForRecordsOnlyWholeFilesAreNeeded) {
    const ByteDifferences whole = ByteDifferences(files(), 7).only_whole_files();
    ASSERT_EQ(whole.files().size(), 1U);
    EXPECT_EQ(*whole.find(local_definitions_file(70000)), (ContentDifferences{true, ""}));
}

TEST(KeptBytesTest, TravelsBetweenProcesses) {
    EXPECT_EQ(from_bytes<std::vector<FileDifferences>>(to_bytes(files()), "test"), files());
}

TEST(KeptBytesTest, RefusesDamage) {
    const std::string bytes = ByteDifferences(files(), 7).encode();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_THROW(ByteDifferences::decode(bytes.substr(0, size), "test"), Error) << size;
    }
    EXPECT_THROW(ByteDifferences::decode(bytes + "x", "test"), Error);
}

}  // namespace
}  // namespace tracefold
