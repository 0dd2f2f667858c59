// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/hash.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

// The published test values of xxHash 0.8: what files hold must never change.
TEST(HashTest, ChecksumIsXxh64WithSeedZero) {
    EXPECT_EQ(checksum(""), 0xEF46DB3751D8E999ULL);
    EXPECT_EQ(checksum("a"), 0xD24EC4F1A98C6E5BULL);
    EXPECT_EQ(checksum("abc"), 0x44BC2CF5AD770999ULL);
}

TEST(HashTest, ContentHashIsXxh3Of128Bits) {
    const ContentHash empty = content_hash("");
    EXPECT_EQ(empty.high, 0x99AA06D3014798D8ULL);
    EXPECT_EQ(empty.low, 0x6001C324468D497FULL);
}

TEST(HashTest, ContentDecidesOnTheAddress) {
    EXPECT_EQ(content_hash("loop"), content_hash(std::string("lo") + "op"));
    EXPECT_NE(content_hash("loop"), content_hash("loop "));
    EXPECT_NE(content_hash(std::string(1, '\0')), content_hash(""));
}

TEST(HashTest, AddressesAreOrderedByTheirLowHalfFirst) {
    EXPECT_LT((ContentHash{1, 9}), (ContentHash{2, 0}));
    EXPECT_LT((ContentHash{1, 1}), (ContentHash{1, 2}));
}

TEST(HashTest, MixingSeparatesNeighbours) {
    EXPECT_EQ(mix(0), 0U);
    std::set<u64> seen;
    for (u64 i = 0; i < 1000; ++i) seen.insert(mix(i) >> 32U);
    EXPECT_GT(seen.size(), 990U);
}

}  // namespace
}  // namespace tracefold
