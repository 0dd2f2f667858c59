// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/location_blocks.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Block = std::vector<u32>;

LocationDefinition location(u32 group, u64 events) {
    LocationDefinition definition;
    definition.group = group;
    definition.event_count = events;
    return definition;
}

TEST(LocationBlocksTest, EveryLocationIsInOneBlock) {
    std::vector<LocationDefinition> locations;
    for (u32 i = 0; i < 37; ++i) locations.push_back(location(i / 2, u64{i} * i * 1000));
    for (const int size : {1, 2, 3, 16, 64}) {
        Block all;
        for (int rank = 0; rank < size; ++rank) {
            const Block block = location_block(locations, rank, size);
            all.insert(all.end(), block.begin(), block.end());
        }
        ASSERT_EQ(all.size(), locations.size()) << size;
        for (u32 i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], i) << size;
    }
}

TEST(LocationBlocksTest, BlocksHaveAboutTheSameNumberOfEvents) {
    const std::vector<LocationDefinition> locations{location(0, 6000000), location(1, 2000000),
                                                    location(2, 2000000), location(3, 2000000)};
    EXPECT_EQ(location_block(locations, 0, 2), Block{0});
    EXPECT_EQ(location_block(locations, 1, 2), (Block{1, 2, 3}));
}

TEST(LocationBlocksTest, LocationsOfAGroupStayTogether) {
    const std::vector<LocationDefinition> locations{location(7, 10), location(9, 10),
                                                    location(7, 10), location(9, 10)};
    EXPECT_EQ(location_block(locations, 0, 2), (Block{0, 2}));
    EXPECT_EQ(location_block(locations, 1, 2), (Block{1, 3}));
}

TEST(LocationBlocksTest, MoreProcessesThanGroupsLeaveEmptyBlocks) {
    const std::vector<LocationDefinition> locations{location(0, 0)};
    std::size_t taken = 0;
    for (int rank = 0; rank < 5; ++rank) taken += location_block(locations, rank, 5).size();
    EXPECT_EQ(taken, 1U);
    EXPECT_TRUE(location_block({}, 0, 1).empty());
}

TEST(LocationBlocksTest, TheFirstProcessMayHaveAnotherShare) {
    const std::vector<double> work(10, 100);
    EXPECT_EQ(share_out(work, 1, 0), std::vector<int>(10, 0));
    EXPECT_EQ(share_out(work, 1, 1), std::vector<int>(10, 0));
    EXPECT_EQ(share_out(work, 2, 0), std::vector<int>(10, 1));
    EXPECT_EQ(share_out(work, 2, 0.2), std::vector<int>({0, 0, 1, 1, 1, 1, 1, 1, 1, 1}));
    EXPECT_EQ(share_out(work, 3, 0.2), std::vector<int>({0, 0, 1, 1, 1, 1, 2, 2, 2, 2}));
    EXPECT_EQ(share_out({1, 1, 98}, 3, 0), std::vector<int>({1, 1, 2}));
    EXPECT_EQ(share_out({0, 0}, 2, 0.5), std::vector<int>({0, 0}));
}

}  // namespace
}  // namespace tracefold
