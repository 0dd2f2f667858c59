// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/prediction/rank_operations.hpp"

#include <initializer_list>

#include <gtest/gtest.h>

namespace tracefold {

namespace {

using Kind = NetworkOperation::Kind;

constexpr std::size_t kCalls = 3;

NetworkOperation operation(Kind kind, u32 slot) {
    NetworkOperation made{kind};
    made.slot = slot;
    return made;
}

void wait_for(std::initializer_list<u32> slots, NetworkOperations& out) {
    NetworkOperation wait{Kind::wait};
    wait.first = static_cast<u32>(out.slots.size());
    wait.count = static_cast<u32>(slots.size());
    out.slots.insert(out.slots.end(), slots);
    out.list.push_back(wait);
}

/// An iteration of a receive, a send and their completion, each after some computation.
RepeatedOperations learned(bool at_rest = true, bool sends_plainly = true) {
    RepeatedOperations repeated;
    NetworkOperations out;
    wait_for({9}, out);
    for (std::size_t place = 0; place < kCalls; ++place) {
        repeated.begin({1, place, kCalls}, place == 0);
        out.list.push_back(operation(Kind::compute, 0));
        repeated.mark(out);
        const u32 slot = 2 * static_cast<u32>(place) + 4;
        if (place == 0) out.list.push_back(operation(Kind::receive, slot));
        if (place == 1) out.list.push_back(operation(Kind::send, slot));
        if (place == 2) wait_for({4, 6}, out);
        repeated.end({1, place, kCalls}, place != 1 || sends_plainly, place == 2 && at_rest, out);
    }
    return repeated;
}

TEST(RepeatedOperationsTest, CallsOfALearnedIterationComeAgain) {
    const RepeatedOperations repeated = learned();
    ASSERT_TRUE(repeated.knows({1, 0, kCalls}));
    NetworkOperations out;
    out.slots = {1, 2, 3};
    for (u32 place = 0; place < kCalls; ++place) repeated.append(place, 40 + place, out);
    // What was appended before a call was marked is not its own.
    ASSERT_EQ(out.list.size(), kCalls);
    EXPECT_EQ(out.list[0].kind, Kind::receive);
    EXPECT_EQ(out.list[0].slot, 4U);
    EXPECT_EQ(out.list[1].kind, Kind::send);
    EXPECT_EQ(out.list[1].slot, 6U);
    EXPECT_EQ(out.list[1].node, 41U);
    EXPECT_EQ(out.list[2].first, 3U);
    EXPECT_EQ(out.list[2].count, 2U);
    EXPECT_EQ(out.slots, (std::vector<u32>{1, 2, 3, 4, 6}));
}

TEST(RepeatedOperationsTest, OthersAreNotKnown) {
    RepeatedOperations repeated = learned();
    EXPECT_FALSE(repeated.knows({}));
    EXPECT_FALSE(repeated.knows({2, 0, kCalls}));
    // A call of no iteration ends what is known.
    repeated.begin({}, true);
    EXPECT_FALSE(repeated.knows({1, 0, kCalls}));
    EXPECT_FALSE(repeated.knows({}));
}

TEST(RepeatedOperationsTest, OutstandingRequestsAreNotLearned) {
    EXPECT_FALSE(learned(false).knows({1, 0, kCalls}));
    RepeatedOperations begun_late;
    begun_late.begin({1, 0, 1}, false);
    begun_late.end({1, 0, 1}, true, true, {});
    EXPECT_FALSE(begun_late.knows({1, 0, 1}));
}

TEST(RepeatedOperationsTest, AnIterationWithACallThatDiffersIsNotLearned) {
    EXPECT_FALSE(learned(true, false).knows({1, 0, kCalls}));
}

}  // namespace
}  // namespace tracefold
