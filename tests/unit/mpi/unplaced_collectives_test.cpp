// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/replay_patch.hpp"
#include "unit/mpi/walked_programs.hpp"

#include <vector>

namespace tracefold {
namespace {

using Kind = Action::Kind;

/// A collective of which a recorder wrote nothing but its name and the metric.
Call unrecorded(MpiFunction function, u64 metric = kNoMetric, u64 request = kNoRequest) {
    Action action;
    action.kind = request == kNoRequest ? Kind::collective : Kind::post_collective;
    action.unrecorded = true;
    action.part.comm = kNone;
    action.request = request;
    action.fields[0] = metric;
    return {function, {action}};
}
Call unrecorded_wait(u64 request) {
    Action action;
    action.kind = Kind::complete_collective;
    action.unrecorded = true;
    action.request = request;
    return {MpiFunction::Wait, {action}};
}

class UnplacedCollectivesTest : public MatchingSimulationTest {
  protected:
    /// What was found out about the calls of a location, so many in a row.
    static std::vector<CollectivePart> parts(const CheckResult& result, u32 location,
                                             std::size_t calls) {
        const ReplayPatch* patch = find_patch(result.patches, location);
        if (patch == nullptr) return {};
        InferredCollectives::Cursor cursor(patch->collectives);
        std::vector<CollectivePart> found;
        for (std::size_t i = 0; i < calls; ++i) {
            std::vector<Action> actions(1);
            actions[0].kind = Kind::collective;
            actions[0].unrecorded = true;
            cursor.apply(actions);
            found.push_back(actions.empty() ? CollectivePart{} : actions[0].part);
        }
        return found;
    }
};

TEST_F(UnplacedCollectivesTest, TheMembersOfTheWorldMeetInItsOnlyCommunicator) {
    for (u32 rank = 0; rank < kRanks; ++rank) {
        add(rank, {unrecorded(MpiFunction::Barrier), unrecorded(MpiFunction::Bcast, 8),
                   unrecorded(MpiFunction::Gather, rank == 2 ? 8 : kNoMetric), finalize()});
    }
    const CheckResult result = check();
    EXPECT_TRUE(result.can_be_replayed());
    EXPECT_EQ(result.collectives, 3U);
    EXPECT_EQ(count(result, FindingKind::unrecorded_barrier), 3U);
    EXPECT_EQ(count(result, FindingKind::unrecorded_collective), 6U);
    EXPECT_EQ(count(result, FindingKind::size_of_metric), 6U);
    EXPECT_EQ(count(result, FindingKind::assumed_root), 3U) << "of the broadcast";
    EXPECT_EQ(count(result, FindingKind::inferred_root), 3U) << "of the gather";
    const auto known = parts(result, 1, 3);
    ASSERT_EQ(known.size(), 3U);
    EXPECT_EQ(known[0].comm, builder_.world());
    EXPECT_EQ(known[1].root, 0U);
    EXPECT_EQ(known[1].received, 8U);
    EXPECT_EQ(known[2].root, 2U);
    EXPECT_EQ(known[2].sent, 8U);
}

TEST_F(UnplacedCollectivesTest, OfSeveralCommunicatorsThatOfAllCallersIsMeant) {
    const u64 pair = builder_.comm({0, 2}, builder_.world());
    for (const u32 rank : {0U, 2U}) {
        add(rank,
            {create(pair), unrecorded(MpiFunction::Barrier), unrecorded(MpiFunction::Allreduce, 8),
             unrecorded(MpiFunction::Barrier), finalize()});
    }
    add(1, {unrecorded(MpiFunction::Barrier), unrecorded(MpiFunction::Barrier), finalize()});
    const CheckResult result = check();
    EXPECT_TRUE(result.can_be_replayed());
    EXPECT_EQ(result.collectives, 3U);
    const auto known = parts(result, 0, 3);
    ASSERT_EQ(known.size(), 3U);
    EXPECT_EQ(known[0].comm, builder_.world());
    EXPECT_EQ(known[1].comm, pair);
    EXPECT_EQ(known[1].sent, 16U) << "to two members";
    EXPECT_EQ(known[2].comm, builder_.world());
}

TEST_F(UnplacedCollectivesTest, RecordedAndOtherCallsMeetInOneOrder) {
    for (u32 rank = 0; rank < kRanks; ++rank) {
        add(rank, {barrier(), unrecorded(MpiFunction::Barrier), barrier(), finalize()});
    }
    const CheckResult result = check();
    EXPECT_EQ(result.collectives, 3U);
    EXPECT_EQ(count(result, FindingKind::unrecorded_barrier), 3U);
    EXPECT_EQ(result.findings.size(), 1U);
}

TEST_F(UnplacedCollectivesTest, WhatNoCommunicatorsMembersAllCallIsLeftOut) {
    add(0, {unrecorded(MpiFunction::Reduce, 8), unrecorded(MpiFunction::Barrier), finalize()});
    add(1, {unrecorded(MpiFunction::Barrier), finalize()});
    add(2, {unrecorded(MpiFunction::Barrier), finalize()});
    const CheckResult result = check();
    EXPECT_TRUE(result.can_be_replayed());
    EXPECT_EQ(count(result, FindingKind::lost_collective), 1U);
    EXPECT_EQ(result.collectives, 1U);
    ASSERT_FALSE(result.patches.empty());
    EXPECT_EQ(result.patches[0].left_out, (Parts{{0, 0}}));
    EXPECT_EQ(parts(result, 0, 2).at(1).comm, builder_.world());
}

TEST_F(UnplacedCollectivesTest, PostedOnesMeetWhenAllHavePosted) {
    add(0, {unrecorded(MpiFunction::Ibarrier, kNoMetric, 7), send(1, 1), unrecorded_wait(7),
            finalize()});
    add(1, {receive(0, 1), unrecorded(MpiFunction::Ibarrier, kNoMetric, 7), unrecorded_wait(7),
            finalize()});
    add(2, {unrecorded(MpiFunction::Ibarrier, kNoMetric, 7), finalize()});
    const CheckResult result = check();
    EXPECT_TRUE(result.can_be_replayed());
    EXPECT_EQ(result.collectives, 1U);
    EXPECT_EQ(result.messages, 1U);
    EXPECT_EQ(count(result, FindingKind::late_completion), 0U);
    EXPECT_EQ(count(result, FindingKind::pending_collective), 0U);
}

TEST_F(UnplacedCollectivesTest, ACompletionThatNobodyCanWaitForIsPutOff) {
    // The wait was for the send, which left no record.
    add(0, {unrecorded(MpiFunction::Ibarrier, kNoMetric, 7), unrecorded_wait(7), send(1, 1),
            finalize()});
    add(1, {receive(0, 1), unrecorded(MpiFunction::Ibarrier, kNoMetric, 7), finalize()});
    add(2, {unrecorded(MpiFunction::Ibarrier, kNoMetric, 7), finalize()});
    const CheckResult result = check();
    EXPECT_TRUE(result.can_be_replayed());
    EXPECT_EQ(count(result, FindingKind::late_completion), 1U);
    EXPECT_EQ(count(result, FindingKind::deadlock), 0U);
    EXPECT_EQ(result.collectives, 1U);
    ASSERT_FALSE(result.patches.empty());
    EXPECT_EQ(result.patches[0].left_out, (Parts{{1, 0}}));
}

}  // namespace
}  // namespace tracefold
