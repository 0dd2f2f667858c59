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
