// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "prediction/repeated_operations.hpp"

#include <initializer_list>

#include <gtest/gtest.h>

namespace tracefold {

namespace {

using Kind = NetworkOperation::Kind;

constexpr std::size_t kCalls = 3;
constexpr RepeatedCall kCompletion{1, 2, kCalls};

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
class Learned {
  public:
    explicit Learned(bool at_rest = true, bool sends_plainly = true) {
        wait_for({9}, out_);
        post(0, Kind::receive, true, false);
        post(1, Kind::send, sends_plainly, false);
        begin(2, false);
        repeated.note_slot();
        wait_for({4, 6}, out_);
        repeated.end(kCompletion, true, at_rest, out_);
    }

    RepeatedOperations repeated;

  private:
    void begin(std::size_t place, bool at_rest) {
        repeated.begin({1, place, kCalls}, at_rest);
        out_.list.push_back(operation(Kind::compute, 0));
        repeated.mark(out_);
    }
    void post(std::size_t place, Kind kind, bool is_plain, bool at_rest) {
        begin(place, place == 0);
        repeated.note_slot();
        out_.list.push_back(operation(kind, 2 * static_cast<u32>(place) + 4));
        repeated.end({1, place, kCalls}, is_plain, at_rest, out_);
    }

    NetworkOperations out_;
};

TEST(RepeatedOperationsTest, CallsOfALearnedIterationComeAgain) {
    const Learned learned;
    NetworkOperations out;
    out.slots = {1, 2, 3};
    for (std::size_t place = 0; place < kCalls; ++place) {
        ASSERT_TRUE(learned.repeated.knows({1, place, kCalls}));
        learned.repeated.append({1, place, kCalls}, 40 + static_cast<u32>(place), out);
    }
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
    Learned learned;
    EXPECT_FALSE(learned.repeated.knows({}));
    EXPECT_FALSE(learned.repeated.knows({2, 0, kCalls}));
    // A call of no iteration ends what is known.
    learned.repeated.begin({}, true);
    EXPECT_FALSE(learned.repeated.knows({1, 0, kCalls}));
    EXPECT_FALSE(learned.repeated.knows({}));
}

TEST(RepeatedOperationsTest, OutstandingRequestsAreNotLearned) {
    EXPECT_FALSE(Learned(false).repeated.knows(kCompletion));
    RepeatedOperations begun_late;
    begun_late.begin({1, 0, 1}, false);
    begun_late.end({1, 0, 1}, true, true, {});
    EXPECT_FALSE(begun_late.knows({1, 0, 1}));
}

TEST(RepeatedOperationsTest, NothingIsKnownBesideACallThatTakesOtherSlots) {
    EXPECT_FALSE(Learned(true, false).repeated.knows(kCompletion));
}

TEST(RepeatedOperationsTest, CallsThatDifferAreLeftOut) {
    RepeatedOperations repeated;
    for (const bool is_plain : {true, false}) {
        const RepeatedCall place{1, is_plain ? 0U : 1U, 2};
        repeated.begin(place, true);
        repeated.end(place, is_plain, true, {});
    }
    EXPECT_TRUE(repeated.knows({1, 0, 2}));
    EXPECT_FALSE(repeated.knows({1, 1, 2}));
}

}  // namespace
}  // namespace tracefold
