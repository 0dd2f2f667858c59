// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "common/part_options.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Ranks = std::vector<u64>;

TEST(RankListTest, EmptyListSelectsAll) {
    EXPECT_TRUE(RankList().selects_all());
    EXPECT_EQ(RankList().select(3), (Ranks{0, 1, 2}));
}

TEST(RankListTest, ReadsNumbersRangesAndStrides) {
    EXPECT_EQ(RankList::parse("5").select(10), (Ranks{5}));
    EXPECT_EQ(RankList::parse("0-3,7").select(10), (Ranks{0, 1, 2, 3, 7}));
    EXPECT_EQ(RankList::parse("1-9:4").select(10), (Ranks{1, 5, 9}));
    EXPECT_EQ(RankList::parse("3-3").select(10), (Ranks{3}));
}

TEST(RankListTest, SelectsEachRankOnceInOrder) {
    EXPECT_EQ(RankList::parse("4,1-5:2,0-1").select(10), (Ranks{0, 1, 3, 4, 5}));
}

TEST(RankListTest, StrideNeedNotReachTheEnd) {
    const RankList list = RankList::parse("0-63:4");
    EXPECT_TRUE(list.contains(60));
    EXPECT_FALSE(list.contains(63));
    EXPECT_EQ(list.select(61).back(), 60U) << "rank 63 was not asked for";
}

TEST(RankListTest, NamesARankThatDoesNotExist) {
    try {
        static_cast<void>(RankList::parse("0-3,64").select(64));
        FAIL() << "rank 64 of 64 was accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_NE(std::string(error.what()).find("rank 64 "), std::string::npos);
    }
}

TEST(RankListTest, RefusesWhatIsNoRank) {
    for (const char* text : {"", ",", "1,", "a", "-1", "3-1", "1-", "1-3:0", "1-3:", "1:2", "1 2",
                             "1-3:2x", "99999999999"})
        EXPECT_THROW(RankList::parse(text), Error) << text;
}

}  // namespace
}  // namespace tracefold
