// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "export/proxy/completion_runs.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(VectorSizesTest, GivesTheSizesOfAllMembersInTheOrderOfTheCommunicator) {
    VectorSizes sizes;
    for (u64 i = 0; i < 5; ++i) {
        sizes.record(0, 9, {i, 10 + i});
        sizes.record(2, 9, {100 + i, 2 * i});
    }
    sizes.record(1, 4, {1, 1});
    sizes.finish();
    VectorSizes::Walk walk(sizes);
    const u64 members[] = {2, 0};
    for (u64 i = 0; i < 5; ++i) {
        const auto now = walk.next(9, members);
        ASSERT_EQ(now.size(), 2U);
        EXPECT_EQ(now[0].sent, 100 + i);
        EXPECT_EQ(now[0].received, 2 * i);
        EXPECT_EQ(now[1].sent, i);
        EXPECT_EQ(now[1].received, 10 + i);
    }
    EXPECT_THROW(walk.next(9, members), Error);
}

TEST(VectorSizesTest, PassesOverWhatIsNotNeeded) {
    VectorSizes sizes;
    for (u64 i = 0; i < 5; ++i) sizes.record(0, 9, {i * i, i});
    sizes.finish();
    VectorSizes::Walk walk(sizes);
    const u64 members[] = {0};
    walk.skip(9);
    EXPECT_EQ(walk.next(9, members)[0].sent, 1U);
    walk.skip(9);
    walk.skip(9);
    EXPECT_EQ(walk.next(9, members)[0].sent, 16U);
    walk.skip(9);
    EXPECT_THROW(walk.next(9, members), Error);
}

TEST(VectorSizesTest, RefusesAMemberThatTookNoPart) {
    VectorSizes sizes;
    sizes.record(0, 9, {1, 1});
    sizes.finish();
    VectorSizes::Walk walk(sizes);
    const u64 members[] = {0, 1};
    EXPECT_THROW(walk.next(9, members), Error);
}

}  // namespace
}  // namespace tracefold
