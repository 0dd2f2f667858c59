// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/location_folder.hpp"

#include <map>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

std::map<u32, std::vector<u64>> given_out(ValueGroups& groups) {
    std::map<u32, std::vector<u64>> all;
    groups.give_out([&all](u32 key, std::span<const u64> values) {
        EXPECT_TRUE(all.emplace(key, std::vector<u64>(values.begin(), values.end())).second);
    });
    return all;
}

TEST(ValueGroupsTest, KeepsTheOrderWithinAKey) {
    ValueGroups groups;
    for (u64 i = 0; i < 7; ++i) groups.add(i % 3 == 0 ? 9 : 2, 100 - i);
    const std::map<u32, std::vector<u64>> expected{{2, {99, 98, 96, 95}}, {9, {100, 97, 94}}};
    EXPECT_EQ(given_out(groups), expected);
}

TEST(ValueGroupsTest, StartsAgainWhenGivenOut) {
    ValueGroups groups;
    groups.add(4, 1);
    given_out(groups);
    EXPECT_TRUE(given_out(groups).empty());
    groups.add(4, 2);
    groups.add(0, 3);
    EXPECT_EQ(given_out(groups), (std::map<u32, std::vector<u64>>{{0, {3}}, {4, {2}}}));
}

}  // namespace
}  // namespace tracefold
