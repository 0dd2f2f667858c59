// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/participants.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Runs = std::vector<ParticipantList::Run>;

TEST(ParticipantListTest, StartsEmpty) {
    const ParticipantList none;
    EXPECT_TRUE(none.empty());
    EXPECT_EQ(none.size(), 0U);
    EXPECT_FALSE(none.contains(0));
    EXPECT_TRUE(none.members().empty());
    EXPECT_EQ(none, ParticipantList(std::vector<u32>{}));
}

TEST(ParticipantListTest, KeepsProgressionsAsRuns) {
    EXPECT_EQ(ParticipantList({0, 1, 2, 3}).runs(), (Runs{{0, 1, 4}}));
    EXPECT_EQ(ParticipantList({3, 7, 11, 12, 13}).runs(), (Runs{{3, 4, 3}, {12, 1, 2}}));
    EXPECT_EQ(ParticipantList({5}).runs(), (Runs{{5, 1, 1}}));
    EXPECT_EQ(ParticipantList({0, 0xFFFFFFFFU}).runs(), (Runs{{0, 0xFFFFFFFFU, 2}}));
}

TEST(ParticipantListTest, IgnoresOrderAndRepetition) {
    const ParticipantList sorted({1, 2, 5, 8, 9});
    EXPECT_EQ(ParticipantList({9, 5, 1, 8, 2, 5, 9}), sorted);
    ParticipantList added;
    for (const u32 member : {8U, 1U, 9U, 2U, 2U, 5U, 8U}) added.add(member);
    EXPECT_EQ(added, sorted);
    EXPECT_EQ(added.runs(), sorted.runs());
    EXPECT_NE(added, ParticipantList({1, 2, 5, 8}));
}

TEST(ParticipantListTest, ContainsExactlyItsMembersAtTheBordersOfRuns) {
    const ParticipantList list({10, 20, 30, 31, 32, 33, 100});
    for (const u32 member : {10U, 20U, 30U, 31U, 33U, 100U}) EXPECT_TRUE(list.contains(member));
    for (const u32 other : {0U, 9U, 11U, 15U, 19U, 21U, 29U, 34U, 40U, 99U, 101U, 0xFFFFFFFFU}) {
        EXPECT_FALSE(list.contains(other)) << other;
    }
    EXPECT_EQ(list.first(), 10U);
    EXPECT_EQ(list.size(), 7U);
}

TEST(ParticipantListTest, UnitesBehindBeforeAndBetween) {
    ParticipantList list({4, 5, 6});
    list.unite(ParticipantList({7, 8}));
    EXPECT_EQ(list.runs(), (Runs{{4, 1, 5}}));
    list.unite(ParticipantList({0, 2}));
    EXPECT_EQ(list, ParticipantList({0, 2, 4, 5, 6, 7, 8}));
    list.unite(ParticipantList({1, 3, 4}));
    EXPECT_EQ(list.runs(), (Runs{{0, 1, 9}}));
    list.unite(ParticipantList());
    EXPECT_EQ(list.size(), 9U);
    ParticipantList empty;
    empty.unite(list);
    EXPECT_EQ(empty, list);
    empty.unite(empty);
    EXPECT_EQ(empty, list);
}

TEST(ParticipantListTest, AppendedRunsAreLikeTheirMembersOneByOne) {
    std::mt19937 random(5);
    const auto draw = [&random](u64 below) { return static_cast<u32>(random() % below); };
    for (int round = 0; round < 2000; ++round) {
        ParticipantList runs;
        ParticipantList members;
        for (u32 next = draw(3), i = draw(5); i > 0; --i) {
            const ParticipantList::Run run{next, 1 + draw(3), 1 + draw(5)};
            runs.append(run);
            for (u32 k = 0; k < run.count; ++k) members.add(run.start + k * run.stride);
            next = run.last() + 1 + draw(4);
        }
        ASSERT_EQ(runs, members);
        // A walk in pieces gives the same set.
        ParticipantWalk walk(runs);
        ParticipantList pieces;
        for (u64 left = runs.size(); left > 0;) {
            const u64 piece = 1 + draw(left);
            if (piece == 1) {
                pieces.add(walk.next());
            } else {
                walk.take(piece, pieces);
            }
            left -= piece;
        }
        ASSERT_EQ(pieces, members);
    }
}

TEST(ParticipantListTest, Subtracts) {
    const ParticipantList even({0, 2, 4, 6, 8});
    const ParticipantList threes({0, 3, 6, 9});
    EXPECT_EQ(even.difference(threes), ParticipantList({2, 4, 8}));
    EXPECT_EQ(threes.difference(even), ParticipantList({3, 9}));
    EXPECT_TRUE(even.difference(even).empty());
    EXPECT_EQ(even.difference(ParticipantList()), even);
}

}  // namespace
}  // namespace tracefold
