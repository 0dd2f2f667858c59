// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "unit/mpi/walked_programs.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Kind = Action::Kind;

TEST_F(MatchingSimulationTest, MessagesMeetTheirReceives) {
    add(0, {send(1, 5), send(1, 5, 16), barrier(), finalize()});
    add(1,
        {post_receive(0, 5, 1), receive(0, 5, 16), wait_receive(0, 5, 1), barrier(), finalize()});
    add(2, {barrier(), finalize()});
    const CheckResult result = check();
    EXPECT_TRUE(result.can_be_replayed());
    EXPECT_TRUE(result.findings.empty());
    EXPECT_EQ(result.messages, 2U);
    EXPECT_EQ(result.bytes, 24U);
    EXPECT_EQ(result.collectives, 1U);
    EXPECT_EQ(result.calls, 11U);
}

TEST_F(MatchingSimulationTest, AMessageToOneselfIsOne) {
    add(0, {send(0, 1), receive(0, 1), finalize()});
    add(1, {finalize()});
    add(2, {finalize()});
    EXPECT_TRUE(check().findings.empty());
}

TEST_F(MatchingSimulationTest, SizesAreCompared) {
    add(0, {send(1, 5, 8), finalize()});
    add(1, {receive(0, 5, 9), finalize()});
    add(2, {finalize()});
    const CheckResult result = check();
    EXPECT_EQ(count(result, FindingKind::different_bytes), 1U);
    EXPECT_FALSE(result.can_be_replayed());
}

TEST_F(MatchingSimulationTest, WhatHasNoPartnerIsNamed) {
    add(0, {send(1, 7), receive(2, 1), finalize()});
    add(1, {finalize()});
    add(2, {barrier(), finalize()});
    const CheckResult result = check();
    EXPECT_EQ(count(result, FindingKind::unreceived_message), 1U);
    EXPECT_EQ(count(result, FindingKind::unsent_message), 1U);
    EXPECT_EQ(count(result, FindingKind::absent_member), 1U);
    EXPECT_EQ(count(result, FindingKind::deadlock), 0U);
    EXPECT_TRUE(result.can_be_replayed());
    ASSERT_EQ(result.patches.size(), 2U);
    EXPECT_EQ(result.patches[0].unreceived, (std::vector<u64>{0}));
    EXPECT_EQ(result.patches[0].left_out, (Parts{{1, 0}}));
    EXPECT_EQ(result.patches[1].left_out, (Parts{{0, 0}})) << "the barrier";
}

TEST_F(MatchingSimulationTest, OnlyThePartWithoutAPartnerIsLeftOut) {
    add(0,
        {{MpiFunction::Sendrecv, {message(Kind::send, 1, 1, 8), message(Kind::receive, 1, 2, 8)}},
         {MpiFunction::Waitall, {message(Kind::complete_receive, 1, 3, 8, 99)}},
         finalize()});
    add(1, {receive(0, 1), send(0, 3), finalize()});
    add(2, {finalize()});
    const CheckResult result = check();
    EXPECT_EQ(count(result, FindingKind::unsent_message), 1U);
    EXPECT_EQ(count(result, FindingKind::unknown_request), 1U);
    ASSERT_EQ(result.patches.size(), 1U);
    EXPECT_EQ(result.patches[0].left_out, (Parts{{0, 1}}));
    EXPECT_EQ(result.patches[0].unposted, (Parts{{1, 0}}));
}

TEST_F(MatchingSimulationTest, MessagesAcrossTheEndsOfAPartAreLeftOutOnBothSides) {
    add(0, {send(1, 1), send(1, 2), send(1, 3), finalize()});
    add(1, {receive(0, 1), receive(0, 2), receive(0, 3), finalize()});
    add(2, {finalize()});
    cut({{1, 3}, {0, 2}, {0, 1}});
    const CheckResult result = check();
    EXPECT_TRUE(result.can_be_replayed());
    ASSERT_EQ(result.patches.size(), 3U);
    EXPECT_EQ(result.patches[0].left_out, (Parts{{2, 0}})) << "it is received after the part";
    EXPECT_EQ(result.patches[1].left_out, (Parts{{0, 0}})) << "it was sent before the part";
    EXPECT_EQ(result.patches[0].window.from, 1U);
    EXPECT_EQ(result.patches[1].window.to, 2U);
}

TEST_F(MatchingSimulationTest, ReceivesThatCompleteInAPartArePostedBefore) {
    add(0, {post_receive(1, 1, 7), post_receive(1, 2, 8), wait_receive(1, 2, 8), barrier(),
            wait_receive(1, 1, 7), finalize()});
    add(1, {send(0, 1), send(0, 2), barrier(), finalize()});
    add(2, {barrier(), finalize()});
    cut({{3, 9}, {0, 9}, {0, 9}});
    const CheckResult result = check();
    ASSERT_EQ(result.patches.size(), 3U);
    EXPECT_EQ(result.patches[0].early, (Parts{{0, 0}}));
    EXPECT_EQ(result.patches[1].left_out, (Parts{{1, 0}})) << "received before the part";
    EXPECT_TRUE(result.patches[2].left_out.empty());
}

TEST_F(MatchingSimulationTest, CollectivesAreInAPartOnAllMembersOrNone) {
    add(0, {barrier(), barrier(), finalize()});
    add(1, {barrier(), barrier(), finalize()});
    add(2, {barrier(), barrier(), finalize()});
    cut({{1, 9}, {0, 9}, {0, 9}});
    const CheckResult result = check();
    ASSERT_EQ(result.patches.size(), 3U);
    EXPECT_TRUE(result.patches[0].left_out.empty());
    EXPECT_EQ(result.patches[1].left_out, (Parts{{0, 0}}));
    EXPECT_EQ(result.patches[2].left_out, (Parts{{0, 0}}));
}

TEST_F(MatchingSimulationTest, WhatOneMemberNeedsBeforeAPartIsMadeBeforeOnAll) {
    const Call split = collective(MpiFunction::Comm_split, kNone, 0, 0);
    add(0, {split, barrier(), split, finalize()});
    add(1, {split, barrier(), split, finalize()});
    add(2, {split, barrier(), split, finalize()});
    cut({{1, 9}, {0, 9}, {1, 9}});
    const CheckResult result = check();
    ASSERT_EQ(result.patches.size(), 3U);
    EXPECT_EQ(result.patches[0].prepared, 1U);
    EXPECT_EQ(result.patches[1].prepared, 1U);
    EXPECT_EQ(result.patches[2].prepared, 1U);
}

TEST_F(MatchingSimulationTest, ReceivesThatWaitForEachOtherAreADeadlock) {
    add(0, {receive(1, 1), send(1, 1), finalize()});
    add(1, {receive(0, 1), send(0, 1), finalize()});
    add(2, {finalize()});
    const CheckResult result = check();
    EXPECT_EQ(count(result, FindingKind::deadlock), 2U);
    EXPECT_FALSE(result.can_be_replayed());
}

TEST_F(MatchingSimulationTest, MembersMustComeForTheSameOperation) {
    add(0, {collective(MpiFunction::Bcast, 0, 24, 8), barrier(), finalize()});
    add(1, {collective(MpiFunction::Bcast, 1, 0, 8), barrier(), finalize()});
    add(2, {collective(MpiFunction::Bcast, 0, 0, 8),
            collective(MpiFunction::Allreduce, kNone, 8, 8), finalize()});
    EXPECT_EQ(count(check(), FindingKind::different_collective), 2U);
}

TEST_F(MatchingSimulationTest, WhatIsSentByACollectiveIsReceived) {
    for (u32 rank = 0; rank < kRanks; ++rank) {
        const u64 sent = rank == 0 ? 3 * 8 : 0;
        add(rank, {collective(MpiFunction::Bcast, 0, sent, 8),
                   collective(MpiFunction::Gather, 0, 8, rank == 0 ? 16 : 0), finalize()});
    }
    const CheckResult result = check();
    EXPECT_EQ(count(result, FindingKind::unequal_volume), 1U) << "the gather";
    EXPECT_TRUE(result.can_be_replayed());
}

TEST_F(MatchingSimulationTest, SubCommunicatorsMeetAlone) {
    const u64 pair = builder_.comm({2, 0}, builder_.world());
    add(0, {create(pair), barrier(pair), barrier(), barrier(builder_.self()), finalize()});
    add(1, {barrier(), finalize()});
    add(2, {create(pair), barrier(pair), barrier(), finalize()});
    const CheckResult result = check();
    EXPECT_TRUE(result.findings.empty());
    EXPECT_EQ(result.collectives, 2U) << "nobody waits for oneself";
}

TEST_F(MatchingSimulationTest, CommunicatorsThatNoCallMakesAreRefused) {
    const u64 pair = builder_.comm({0, 2}, builder_.world());
    add(0, {create(pair), barrier(pair), finalize()});
    add(1, {finalize()});
    add(2, {barrier(pair), finalize()});
    const CheckResult result = check();
    EXPECT_EQ(count(result, FindingKind::unknown_communicator), 1U);
    EXPECT_FALSE(result.can_be_replayed());
}

TEST_F(MatchingSimulationTest, CallsThatCanBeSkippedHinderOnlyWithoutThat) {
    add(0, {{MpiFunction::Bcast, {}}, {MpiFunction::Neighbor_alltoall, {}}, finalize()});
    add(1, {finalize()});
    add(2, {finalize()});
    const CheckResult result = check();
    EXPECT_EQ(count(result, FindingKind::unsupported), 1U);
    EXPECT_EQ(count(result, FindingKind::neighbour), 1U);
    EXPECT_FALSE(result.can_be_replayed());
    EXPECT_EQ(result.hindrance(), nullptr);
}

TEST_F(MatchingSimulationTest, ReceivesWithoutARecordTakeWhatNobodyElseReceives) {
    add(0, {send(1, 3, 8), send(1, 4, 80), finalize()});
    add(1, {matched_receive(), receive(0, 3), matched_receive(), finalize()});
    add(2, {finalize()});
    const CheckResult result = check(true);
    EXPECT_EQ(count(result, FindingKind::inferred_receive), 1U);
    EXPECT_EQ(count(result, FindingKind::lost_receive), 1U);
    ASSERT_EQ(result.patches.size(), 1U);
    ASSERT_EQ(result.patches[0].receives.size(), 2U);
    EXPECT_EQ(result.patches[0].receives[0].envelope, (Envelope{0, 0, 4, 80}));
    EXPECT_EQ(result.patches[0].receives[1].envelope.comm, kNone);
    EXPECT_TRUE(result.can_be_replayed());
}

TEST_F(MatchingSimulationTest, APendingReceiveMayTakeAMessage) {
    add(0, {send(1, 3), finalize()});
    add(1, {post_unknown(1), post_unknown(2), finalize()});
    add(2, {finalize()});
    const CheckResult result = check();
    EXPECT_EQ(count(result, FindingKind::pending_receive), 2U);
    EXPECT_EQ(count(result, FindingKind::unreceived_message), 1U);
    ASSERT_EQ(result.patches.size(), 1U);
    ASSERT_EQ(result.patches[0].receives.size(), 1U);
    EXPECT_EQ(result.patches[0].receives[0].index, 0U);
}

TEST_F(MatchingSimulationTest, ACompletionIsThatOfItsOwnThread) {
    add(0, {send(1, 3), send(1, 4), finalize()});
    // The recorder took the request of one thread for that of the other.
    add(1, {post_unknown(1), wait_receive(0, 3, 2), finalize()});
    add(1, {post_unknown(2), wait_receive(0, 4, 1)});
    add(2, {finalize()});
    const CheckResult result = check();
    EXPECT_TRUE(result.can_be_replayed());
    EXPECT_TRUE(result.threads);
    EXPECT_EQ(count(result, FindingKind::swapped_request), 2U);
    EXPECT_EQ(result.messages, 2U);
    ASSERT_EQ(result.patches.size(), 2U);
    EXPECT_EQ(result.patches[0].renames, (std::vector<ReplayPatch::Rename>{{1, 2, 1}}));
    EXPECT_EQ(result.patches[1].receives[0].envelope.tag, 4U);
}

TEST_F(MatchingSimulationTest, ACompletionOfAnotherKindIsRefused) {
    add(0, {send(1, 3), finalize()});
    Call wait = wait_receive(0, 3, 1);
    wait.actions[0].kind = Action::Kind::complete_send;
    add(1, {post_unknown(1), wait, finalize()});
    add(2, {finalize()});
    const CheckResult result = check();
    EXPECT_EQ(count(result, FindingKind::crossed_request), 1U);
    EXPECT_FALSE(result.can_be_replayed());
}

TEST_F(MatchingSimulationTest, SizesThatNoMemoryHoldsAreThoseOfTheSenderOrRefused) {
    constexpr u64 kNonsense = (u64{1} << 63U) + 5;
    add(0, {send(1, 3), finalize()});
    add(1, {receive(0, 3, kNonsense), finalize()});
    add(2, {finalize()});
    const CheckResult result = check();
    EXPECT_EQ(count(result, FindingKind::sender_size), 1U);
    EXPECT_TRUE(result.can_be_replayed());
    ASSERT_EQ(result.patches.size(), 1U);
    EXPECT_EQ(result.patches[0].sizes, (std::vector<ReplayPatch::Size>{{0, 0, 8}}));
}

TEST_F(MatchingSimulationTest, SendsBeyondAnyMemoryAreRefused) {
    constexpr u64 kNonsense = (u64{1} << 63U) + 5;
    add(0, {send(1, 3, kNonsense), finalize()});
    add(1, {receive(0, 3, kNonsense), finalize()});
    add(2, {finalize()});
    const CheckResult result = check();
    EXPECT_EQ(count(result, FindingKind::beyond_memory), 1U);
    EXPECT_FALSE(result.can_be_replayed());
}

TEST_F(MatchingSimulationTest, AThreadMayWaitForTheRequestOfAnother) {
    add(0, {send(1, 3), finalize()});
    add(1, {wait_receive(0, 3, 1), finalize()});
    add(1, {post_unknown(1)});
    add(2, {finalize()});
    const CheckResult result = check();
    EXPECT_TRUE(result.findings.empty());
    ASSERT_EQ(result.patches.size(), 1U);
    EXPECT_EQ(result.patches[0].location, 2U);
}

TEST_F(MatchingSimulationTest, ThoseFarAheadWaitForTheirReceivers) {
    const u32 many = 20000;
    Program sender(many, send(1, 1));
    Program receiver(many, receive(0, 1));
    sender.push_back(finalize());
    receiver.push_back(finalize());
    add(0, sender);
    add(1, receiver);
    add(2, {finalize()});
    const CheckResult result = check();
    EXPECT_TRUE(result.findings.empty());
    EXPECT_EQ(result.messages, many);
}

Call record(MpiFunction function, EventType type, u64 object) {
    Action action;
    action.type = type;
    action.fields[0] = object;
    return {function, {action}};
}

TEST_F(MatchingSimulationTest, WindowsAndFilesAreUsedWhileTheyExist) {
    const u64 window = builder_.window(builder_.self());
    const u64 file = builder_.file_handle(0, builder_.self());
    add(0, {record(MpiFunction::Win_create, EventType::RmaWinCreate, window),
            record(MpiFunction::Put, EventType::RmaPut, window),
            record(MpiFunction::Win_free, EventType::RmaWinDestroy, window),
            record(MpiFunction::Put, EventType::RmaPut, window),
            record(MpiFunction::File_read, EventType::IoOperationBegin, file),
            record(MpiFunction::File_open, EventType::IoCreateHandle, file),
            record(MpiFunction::File_read, EventType::IoOperationBegin, file),
            record(MpiFunction::File_close, EventType::IoDestroyHandle, file), finalize()});
    add(1, {finalize()});
    add(2, {finalize()});
    const CheckResult result = check();
    EXPECT_EQ(count(result, FindingKind::closed_object), 2U);
    EXPECT_TRUE(result.can_be_replayed());
}

TEST_F(MatchingSimulationTest, CallsThatCannotBeIssuedAreCountedByName) {
    for (u32 rank = 0; rank < kRanks; ++rank) {
        add(rank, {{MpiFunction::Neighbor_alltoall, {}}, {MpiFunction::Comm_dup, {}}});
    }
    const CheckResult result = check();
    EXPECT_EQ(count(result, FindingKind::neighbour), 3U);
    EXPECT_EQ(count(result, FindingKind::unrecorded_creation), 3U);
    EXPECT_EQ(count(result, FindingKind::unfinished), 3U);
}

}  // namespace
}  // namespace tracefold
