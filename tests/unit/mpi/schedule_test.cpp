// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/schedule.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Algorithm = CollectiveAlgorithm;

CollectiveRecords records_of(CollectiveKind kind, u32 root,
                             const std::vector<Contribution>& sizes) {
    return {kind, root, static_cast<u32>(sizes.size()), sizes};
}

std::vector<ScheduledMessage> schedule(const Exchange& exchange, u32 member, Algorithm algorithm) {
    std::vector<ScheduledMessage> transfers;
    make_schedule(exchange, member, algorithm, transfers);
    return transfers;
}

TEST(ScheduleTest, BroadcastsAlongATree) {
    // The root of a broadcast of 100 bytes among 5 states what it sends to all.
    const Exchange exchange(
        records_of(CollectiveKind::bcast, 1, {{0, 100}, {500, 100}, {0, 100}, {0, 100}, {0, 100}}));
    EXPECT_EQ(exchange.block(0), 100U);
    const std::vector<ScheduledMessage> root = {
        {0, true, 0, 100}, {1, true, 3, 100}, {2, true, 2, 100}};
    EXPECT_EQ(schedule(exchange, 1, Algorithm::binomial), root);
    const std::vector<ScheduledMessage> inner = {{1, false, 1, 100}, {2, true, 4, 100}};
    EXPECT_EQ(schedule(exchange, 3, Algorithm::binomial), inner);
}

TEST(ScheduleTest, GathersBlocksOfDifferentSizeAlongATree) {
    const Exchange exchange(
        records_of(CollectiveKind::gatherv, 0, {{1, 10}, {2, 0}, {3, 0}, {4, 0}}));
    const std::vector<ScheduledMessage> root = {{0, false, 1, 2}, {1, false, 2, 7}};
    EXPECT_EQ(schedule(exchange, 0, Algorithm::binomial), root);
    const std::vector<ScheduledMessage> direct = {
        {0, false, 1, 2}, {0, false, 2, 3}, {0, false, 3, 4}};
    EXPECT_EQ(schedule(exchange, 0, Algorithm::automatic), direct);
}

TEST(ScheduleTest, TakesTheBlocksOfAllgathervFromTheRecordsOfAll) {
    // Each member sends its block to all of the three, and receives all blocks.
    const Exchange exchange(
        records_of(CollectiveKind::allgatherv, kNone, {{3, 6}, {6, 6}, {9, 6}}));
    EXPECT_FALSE(exchange.is_compromise());
    EXPECT_EQ(exchange.block(0), 1U);
    EXPECT_EQ(exchange.block(2), 3U);
    EXPECT_EQ(exchange.blocks(2, 2), 4U);
    const std::vector<ScheduledMessage> ring = {
        {0, false, 2, 3}, {0, true, 1, 1}, {1, false, 2, 2}, {1, true, 1, 3}};
    EXPECT_EQ(schedule(exchange, 0, Algorithm::ring), ring);
}

/// As much is sent as MPI_Allreduce and MPI_Alltoall record: once for every member.
std::vector<Contribution> alike(u32 members, u64 bytes) {
    return {members, {bytes * members, bytes * members}};
}

using Schedule = std::vector<ScheduledMessage>;

TEST(ScheduleTest, PiecesOfAVectorThatDoesNotDivideGoRoundTheRing) {
    // 10 bytes among 4: pieces of 3, 3, 2 and 2.
    const Exchange exchange(records_of(CollectiveKind::allreduce, kNone, alike(4, 10)));
    const Schedule first = {{0, false, 3, 2}, {0, true, 1, 2}, {1, false, 3, 3}, {1, true, 1, 2},
                            {2, false, 3, 3}, {2, true, 1, 3}, {3, false, 3, 2}, {3, true, 1, 3},
                            {4, false, 3, 2}, {4, true, 1, 2}, {5, false, 3, 3}, {5, true, 1, 2}};
    EXPECT_EQ(schedule(exchange, 0, Algorithm::ring), first);
}

TEST(ScheduleTest, ALongBroadcastIsScatteredAndGathered) {
    // The same pieces; the root is member 1, whose first half of the tree are members 3 and 0.
    const Exchange exchange(
        records_of(CollectiveKind::bcast, 1, {{0, 10}, {40, 10}, {0, 10}, {0, 10}}));
    const Schedule root = {{0, true, 3, 5},  {1, true, 2, 2}, {2, false, 0, 3}, {2, true, 2, 3},
                           {3, false, 0, 2}, {3, true, 2, 3}, {4, false, 0, 2}, {4, true, 2, 2}};
    EXPECT_EQ(schedule(exchange, 1, Algorithm::ring), root);
}

TEST(ScheduleTest, DoublingStandsInForMembersBeyondAPowerOfTwo) {
    const Exchange exchange(records_of(CollectiveKind::allreduce, kNone, alike(3, 7)));
    const Schedule paired = {{0, false, 1, 7}, {1, false, 2, 7}, {1, true, 2, 7}, {2, true, 1, 7}};
    const Schedule absent = {{0, true, 0, 7}, {2, false, 0, 7}};
    const Schedule alone = {{1, false, 0, 7}, {1, true, 0, 7}};
    EXPECT_EQ(schedule(exchange, 0, Algorithm::recursive_doubling), paired);
    EXPECT_EQ(schedule(exchange, 1, Algorithm::recursive_doubling), absent);
    EXPECT_EQ(schedule(exchange, 2, Algorithm::recursive_doubling), alone);
}

TEST(ScheduleTest, AScanDoublesTheDistance) {
    // Of 8 bytes: member r sends them to the 4 - r from itself on, and gets those of r + 1.
    const Exchange exchange(
        records_of(CollectiveKind::scan, kNone, {{32, 8}, {24, 16}, {16, 24}, {8, 32}}));
    const Schedule second = {{0, false, 0, 8}, {0, true, 2, 8}, {1, true, 3, 8}};
    const Schedule last = {{0, false, 2, 8}, {1, false, 1, 8}};
    EXPECT_EQ(schedule(exchange, 1, Algorithm::recursive_doubling), second);
    EXPECT_EQ(schedule(exchange, 3, Algorithm::recursive_doubling), last);
}

TEST(ScheduleTest, BlocksOfAnAlltoallMoveByTheBitsOfTheirDistance) {
    // Distances 1 and 3 have the first bit, 2 and 3 the second one, 4 the third one.
    const Exchange exchange(records_of(CollectiveKind::alltoall, kNone, alike(5, 10)));
    const Schedule first = {{0, false, 4, 20}, {0, true, 1, 20},  {1, false, 3, 20},
                            {1, true, 2, 20},  {2, false, 1, 10}, {2, true, 4, 10}};
    EXPECT_EQ(schedule(exchange, 0, Algorithm::bruck), first);
}

TEST(ScheduleTest, ABarrierIsKnownOfFarther) {
    const Exchange exchange(
        records_of(CollectiveKind::barrier, kNone, std::vector<Contribution>(5)));
    const Schedule first = {{0, false, 4, 0}, {0, true, 1, 0},  {1, false, 3, 0},
                            {1, true, 2, 0},  {2, false, 1, 0}, {2, true, 4, 0}};
    EXPECT_EQ(schedule(exchange, 0, Algorithm::dissemination), first);
}

TEST(ScheduleTest, AReduceScatterSendsEveryMemberItsBlock) {
    // Blocks of 1, 2 and 3 bytes: everybody states all 6, and three times what it gets.
    const Exchange exchange(
        records_of(CollectiveKind::reduce_scatter, kNone, {{6, 3}, {6, 6}, {6, 9}}));
    EXPECT_FALSE(exchange.is_compromise());
    const Schedule second = {{0, false, 0, 2}, {0, true, 2, 3}, {1, false, 2, 2}, {1, true, 0, 1}};
    EXPECT_EQ(schedule(exchange, 1, Algorithm::pairwise), second);
}

TEST(ScheduleTest, MakesTheBestOfContradictions) {
    const Exchange exchange(
        records_of(CollectiveKind::allgatherv, kNone, {{3, 1}, {6, 1}, {9, 1}}));
    EXPECT_TRUE(exchange.is_compromise());
    EXPECT_EQ(exchange.block(2), 3U);
    EXPECT_TRUE(
        Exchange(records_of(CollectiveKind::alltoallv, kNone, {{3, 1}, {6, 1}})).is_compromise());
}

TEST(ScheduleTest, TakesTheFirstMemberForARootThatIsNone) {
    const Exchange exchange(records_of(CollectiveKind::gatherv, 7, {{1, 0}, {2, 0}}));
    EXPECT_TRUE(exchange.is_compromise());
    EXPECT_EQ(exchange.root(), 0U);
    EXPECT_EQ(exchange.largest_sum(), 3U);
}

TEST(ScheduleTest, ChoosesByTheSizeOfMessages) {
    const auto of = [](CollectiveKind kind, u64 bytes, u32 members) {
        const std::vector<Contribution> sizes(members, {bytes * members, bytes * members});
        return fitting_algorithm(Exchange(records_of(kind, kNone, sizes)), Algorithm::automatic);
    };
    EXPECT_EQ(of(CollectiveKind::allreduce, 8, 16), Algorithm::recursive_doubling);
    EXPECT_EQ(of(CollectiveKind::allreduce, 1 << 20, 16), Algorithm::ring);
    EXPECT_EQ(of(CollectiveKind::allgather, 8, 16), Algorithm::recursive_doubling);
    EXPECT_EQ(of(CollectiveKind::allgather, 8, 12), Algorithm::bruck);
    EXPECT_EQ(of(CollectiveKind::alltoall, 8, 16), Algorithm::bruck);
    EXPECT_EQ(of(CollectiveKind::alltoall, 1 << 20, 16), Algorithm::pairwise);
    EXPECT_EQ(of(CollectiveKind::barrier, 0, 16), Algorithm::dissemination);
}

TEST(ScheduleTest, TakesAnotherAlgorithmWhereOneDoesNotFit) {
    const Exchange exchange(
        records_of(CollectiveKind::barrier, kNone, std::vector<Contribution>(3)));
    EXPECT_EQ(fitting_algorithm(exchange, Algorithm::ring), Algorithm::dissemination);
    EXPECT_EQ(fitting_algorithm(exchange, Algorithm::binomial), Algorithm::binomial);
}

}  // namespace
}  // namespace tracefold
