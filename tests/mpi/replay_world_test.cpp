// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/replay_world.hpp"

#include "base/error.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Processes = std::vector<u32>;
using Names = std::vector<std::string>;

/// Started in turn on two nodes, but for the last two.
const Names kHosts = {"a", "b", "a", "b", "b", "c"};

TEST(RankMappingTest, RanksFillNodesOrTakeTurns) {
    EXPECT_EQ(processes_of_ranks(kHosts, 6, RankMapping::given, {}), (Processes{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(processes_of_ranks(kHosts, 6, RankMapping::blocks, {}),
              (Processes{0, 2, 1, 3, 4, 5}));
    EXPECT_EQ(processes_of_ranks(kHosts, 6, RankMapping::round_robin, {}),
              (Processes{0, 1, 5, 2, 3, 4}));
    EXPECT_EQ(processes_of_ranks(kHosts, 3, RankMapping::blocks, {}), (Processes{0, 2, 1}));
}

TEST(RankMappingTest, AListNamesTheNodeOfEachRank) {
    const Names nodes = {"b", "b", "a", "c"};
    EXPECT_EQ(processes_of_ranks(kHosts, 4, RankMapping::file, nodes), (Processes{1, 3, 0, 5}));
    EXPECT_THROW((void)processes_of_ranks(kHosts, 3, RankMapping::file, nodes), Error);
    const Names crowded = {"c", "c"};
    EXPECT_THROW((void)processes_of_ranks(kHosts, 2, RankMapping::file, crowded), Error);
    EXPECT_THROW((void)processes_of_ranks(kHosts, 7, RankMapping::blocks, {}), Error);
}

}  // namespace
}  // namespace tracefold
