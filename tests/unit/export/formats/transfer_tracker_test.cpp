// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/formats/rank_walk.hpp"
#include "support/communicator_set.hpp"
#include "support/definition_builder.hpp"
#include "support/sample_file.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using ActionKind = Action::Kind;
using SendEnd = TransferTracker::SendEnd;

Action action_of(ActionKind kind, u64 request, u64 time) {
    Action action;
    action.kind = kind;
    action.request = request;
    action.time = time;
    action.envelope = {0, 1, 7, 64};
    return action;
}

/// Feeds calls of rank 0 of three, at ten ticks each.
class TransferTrackerTest : public ::testing::Test {
  protected:
    struct Done {
        TrackedMessage message;
        MessageEnd end;
    };

    void call(u32 thread, const std::vector<Action>& actions, bool matched_receive = false) {
        MpiCall mpi_call;
        mpi_call.index = calls_;
        mpi_call.begin = 10 * calls_;
        mpi_call.end = mpi_call.begin + 8;
        mpi_call.actions = actions;
        if (matched_receive) {
            mpi_call.family = CallFamily::matched_receive;
            mpi_call.inferred = {0, 2, 9, 32};
        }
        ++calls_;
        tracker().follow(thread, mpi_call, *table_,
                         [this](const TrackedMessage& message, const MessageEnd& end) {
                             done_.push_back({message, end});
                         });
    }
    void use(SendEnd end, std::size_t threads) { tracker_.emplace(end, threads); }
    TransferTracker& tracker() { return *tracker_; }

    void SetUp() override { table_.emplace(communicator_set(index_, builder_), 0); }

    std::vector<Done> done_;

  private:
    DefinitionBuilder builder_{3};
    DefinitionIndex index_ = builder_.index();
    std::optional<CommunicatorTable> table_;
    std::optional<TransferTracker> tracker_;
    u64 calls_ = 0;
};

TEST_F(TransferTrackerTest, FollowsARequestToItsCompletion) {
    use(SendEnd::at_completion, 1);
    call(0, {action_of(ActionKind::post_receive, 1, 2)});
    call(0, {action_of(ActionKind::send, 2, 12)});
    EXPECT_TRUE(done_.empty());
    EXPECT_EQ(tracker().outstanding().size(), 2U);
    call(0, {action_of(ActionKind::complete_send, 2, 22),
             action_of(ActionKind::complete_receive, 1, 23)});
    ASSERT_EQ(done_.size(), 2U);
    EXPECT_TRUE(done_[0].message.sends);
    EXPECT_EQ(done_[0].message.call, 1U);
    EXPECT_EQ(done_[0].end.time, 22U);
    EXPECT_EQ(done_[1].message.begin, 0U);
    EXPECT_EQ(done_[1].end.end, 28U);
    EXPECT_TRUE(tracker().outstanding().empty());
}

TEST_F(TransferTrackerTest, SendsMayEndWithTheirCall) {
    use(SendEnd::at_call, 1);
    call(0, {action_of(ActionKind::send, 2, 2)});
    call(0, {action_of(ActionKind::complete_send, 2, 12)});
    ASSERT_EQ(done_.size(), 1U);
    EXPECT_EQ(done_[0].end.time, 2U);
}

TEST_F(TransferTrackerTest, AnotherThreadMayCompleteInACallThatIsTakenBefore) {
    use(SendEnd::at_completion, 2);
    call(1, {action_of(ActionKind::complete_receive, 5, 3)});
    EXPECT_TRUE(done_.empty());
    call(0, {action_of(ActionKind::post_receive, 5, 12)});
    ASSERT_EQ(done_.size(), 1U);
    EXPECT_EQ(done_[0].message.thread, 0U);
    EXPECT_EQ(done_[0].message.call, 1U);
    EXPECT_EQ(done_[0].end.thread, 1U);
    EXPECT_EQ(done_[0].end.time, 3U);
}

TEST_F(TransferTrackerTest, ReceivesThatWereNeverPostedBeginWhereTheyEnd) {
    use(SendEnd::at_call, 1);
    call(0, {});
    call(0, {action_of(ActionKind::complete_receive, 5, 13)});
    ASSERT_EQ(done_.size(), 1U);
    EXPECT_EQ(done_[0].message.begin, 10U);
    EXPECT_FALSE(done_[0].message.sends);
}

TEST_F(TransferTrackerTest, MatchedReceivesAreWhatWasInferred) {
    use(SendEnd::at_call, 1);
    call(0, {}, true);
    ASSERT_EQ(done_.size(), 1U);
    EXPECT_EQ(done_[0].message.peer, 2U);
    EXPECT_EQ(done_[0].message.envelope.bytes, 32U);
    EXPECT_EQ(done_[0].end.time, 4U);
    EXPECT_EQ(tracker().unrecorded(), 1U);
}

TEST_F(TransferTrackerTest, NumbersTheMessagesOfAChannel) {
    use(SendEnd::at_call, 1);
    for (int i = 0; i < 2; ++i) {
        call(0, {action_of(ActionKind::send, kNoRequest, 0),
                 action_of(ActionKind::receive, kNoRequest, 0)});
    }
    ASSERT_EQ(done_.size(), 4U);
    EXPECT_EQ(done_[1].message.number, 0U);
    EXPECT_EQ(done_[2].message.number, 1U);
    EXPECT_EQ(done_[3].message.number, 1U);
}

TEST(TraceClockTest, WhatRunsOnOneNodeReadsOneClock) {
    SampleFile file("micro-stencil2d9p-isend-4", TimingLevel::exact);
    // The recorder measured offsets between its processes.
    EXPECT_NE(ClockMap(*file, 1).common(1'000'000'000), 1'000'000'000U);
    const TraceClocks clocks(*file);
    const u64 ticks = file->definitions().clock_offset() + 1'000'000'000;
    for (u32 location = 1; location < file->location_count(); ++location) {
        EXPECT_EQ(clocks.of(location).at(ticks), clocks.of(0).at(ticks));
    }
}

}  // namespace
}  // namespace tracefold
