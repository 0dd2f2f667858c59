// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/numbered_name.hpp"

#include <gtest/gtest.h>

namespace tracefold {

namespace {

TEST(NumberedName, IsTakenApart) {
    const NumberedName name = split_name("rack07-node12");
    EXPECT_EQ(name.shape, std::string("rack\0-node\0", 11));
    EXPECT_EQ(name.numbers, (std::vector<u64>{7, 12}));
    EXPECT_EQ(split_name("1").numbers, (std::vector<u64>{1}));
}

TEST(NumberedName, NotAllNamesAre) {
    EXPECT_TRUE(split_name("").numbers.empty());
    EXPECT_TRUE(split_name("main").numbers.empty());
    EXPECT_TRUE(split_name(std::string("a\0b1", 4)).numbers.empty());
    EXPECT_TRUE(split_name("1234567890123456789").numbers.empty());
    EXPECT_TRUE(split_name("1 2 3 4 5 6 7 8 9").numbers.empty());
    EXPECT_TRUE(split_name(std::string(5000, 'x') + "1").numbers.empty());
}

TEST(NumberedName, IsPutTogetherLikeItsModel) {
    EXPECT_EQ(join_name("rack07-node12", std::vector<u64>{3, 4}), "rack03-node4");
    EXPECT_EQ(join_name("n0", std::vector<u64>{15}), "n15");
    EXPECT_EQ(join_name("n0001", std::vector<u64>{12345}), "n12345");
    EXPECT_EQ(join_name("007", std::vector<u64>{7}), "007");
}

}  // namespace

}  // namespace tracefold
