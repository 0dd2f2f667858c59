// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/bytes.hpp"
#include "base/error.hpp"
#include "mpi/replay_program.hpp"
#include "replay/measure/measurements.hpp"
#include "replay/rank_detail.hpp"

namespace tracefold::testing {
namespace {

TEST(SizeHistogramTest, HasABucketForEveryPowerOfTwo) {
    MeasuredSizes histogram;
    for (const u64 bytes : {u64{0}, u64{1}, u64{2}, u64{3}, u64{4}, ~u64{0}}) histogram.add(bytes);
    using Bucket = MeasuredSizes::Bucket;
    EXPECT_EQ(histogram.buckets()[0], (Bucket{1, 0}));
    EXPECT_EQ(histogram.buckets()[1], (Bucket{1, 1}));
    EXPECT_EQ(histogram.buckets()[2], (Bucket{2, 5}));
    EXPECT_EQ(histogram.buckets()[3], (Bucket{1, 4}));
    EXPECT_EQ(histogram.buckets()[64], (Bucket{1, ~u64{0}}));
    EXPECT_EQ(MeasuredSizes::lower_bound(0), 0U);
    EXPECT_EQ(MeasuredSizes::lower_bound(3), 4U);
    MeasuredSizes sum;
    sum.merge(histogram);
    sum.merge(histogram);
    EXPECT_EQ(sum.buckets()[2], (Bucket{4, 10}));
}

TEST(SizedCallsTest, HasTheMedianOfEverySize) {
    SizedCalls one;
    SizedCalls other;
    for (u64 nanoseconds = 1000; nanoseconds < 2001; ++nanoseconds) {
        (nanoseconds % 3 == 0 ? one : other).add(MpiFunction::Send, 64, nanoseconds);
        other.add(MpiFunction::Send, 4096, u64{1} << 50U);  // beyond the last bucket
    }
    one.add(MpiFunction::Recv, 0, 7);
    one.merge(from_bytes<SizedCalls>(to_bytes(other), "calls"));
    const std::vector<MeasuredCalls> calls = one.measured();
    ASSERT_EQ(calls.size(), 3U);
    EXPECT_EQ(calls[0].function, MpiFunction::Send);
    EXPECT_EQ(calls[0].from_bytes, 64U);
    EXPECT_EQ(calls[0].calls, 1001U);
    EXPECT_EQ(calls[0].bytes, 64064U);
    EXPECT_NEAR(calls[0].seconds, 1.5015e-3, 1e-9);
    EXPECT_NEAR(calls[0].shortest, 1e-6, 1e-12);
    EXPECT_NEAR(calls[0].median, 1.5e-6, 2e-9);
    EXPECT_EQ(calls[1].calls, 1001U);
    EXPECT_NEAR(calls[1].median, calls[1].shortest, 1e-9);
    EXPECT_NEAR(calls[2].median, 7e-9, 1e-9);
    one.clear();
    EXPECT_TRUE(one.measured().empty());
    one.add(MpiFunction::Recv, 0, 9);
    ASSERT_EQ(one.measured().size(), 1U);
    EXPECT_NEAR(one.measured()[0].shortest, 9e-9, 1e-12);
}

TEST(OccupancyTest, IsFullWithAProcessorForEachThread) {
    Occupancy occupancy;
    for (const u64 word : {u64{0b0011}, u64{0b1100}}) {
        occupancy.add({"a", {word}}, 2 * word, 1);
        occupancy.add({"a", {word}}, 2 * word + 1, 1);
    }
    EXPECT_FALSE(occupancy.oversubscription());
    occupancy.add({"b", {0, 1}}, 9, 1);
    EXPECT_FALSE(occupancy.oversubscription());
}

TEST(OccupancyTest, FindsRanksBoundToTheSameProcessors) {
    Occupancy occupancy;
    occupancy.add({"a", {0b1111}}, 0, 1);
    for (u64 rank = 1; rank < 4; ++rank) occupancy.add({"b", {0b0001}}, rank, 2);
    occupancy.add({"b", {0b1110}}, 4, 1);
    const auto crowded = occupancy.oversubscription();
    ASSERT_TRUE(crowded);
    EXPECT_EQ(crowded->nodes, 2U);
    EXPECT_EQ(crowded->oversubscribed_nodes, 1U);
    EXPECT_EQ(crowded->ranks, 3U);
    EXPECT_EQ(crowded->threads, 6U);
    EXPECT_EQ(crowded->processors, 1U);
}

TEST(OccupancyTest, FindsTooManyRanksOnANodeWhoseSetsOverlap) {
    Occupancy low;
    Occupancy high;
    low.add({"a", {0b011}}, 0, 2);
    high.add({"a", {0b110}}, 1, 2);
    EXPECT_FALSE(low.oversubscription());
    low.merge(from_bytes<Occupancy>(to_bytes(high), "occupancy"));
    const auto crowded = low.oversubscription();
    ASSERT_TRUE(crowded);
    EXPECT_EQ(crowded->threads, 4U);
    EXPECT_EQ(crowded->processors, 3U);
}

TEST(OccupancyTest, SaysNothingOfUnknownProcessors) {
    Occupancy occupancy;
    occupancy.add({"a", {}}, 0, 8);
    EXPECT_FALSE(occupancy.oversubscription());
    EXPECT_GE(own_processors().size(), 1U);
}

RankDetail detail(u64 rank, double wall) {
    RankDetail detail;
    detail.rank = rank;
    detail.host = "node" + std::to_string(rank);
    detail.threads = rank + 1;
    detail.recorded = {1.5, 0.5};
    detail.replayed = {wall, 0.25};
    detail.asked_computation = 0.125;
    detail.calls = {{MpiFunction::Send, 3, 1, 100, 0, 1.0, 2.0}};
    detail.peers = {{rank + 1, 2, 64}};
    detail.other_peers = {5, 6, 7};
    return detail;
}

std::vector<u64> ranks_of(const RankSelection& selection) {
    std::vector<u64> ranks;
    for (const RankDetail& detail : selection.ranks()) ranks.push_back(detail.rank);
    return ranks;
}

TEST(RankSelectionTest, KeepsTheFirstAndTheSlowest) {
    RankSelection selection(2);
    const double walls[] = {1, 2, 9, 3, 8, 7};
    for (u64 rank = 0; rank < 6; ++rank) selection.add(detail(rank, walls[rank]));
    EXPECT_EQ(ranks_of(selection), (std::vector<u64>{0, 1, 2, 4}));
}

TEST(RankSelectionTest, MergesInAnyOrder) {
    RankSelection low(2);
    RankSelection high(2);
    const double walls[] = {1, 2, 9, 3, 8, 7};
    for (u64 rank = 0; rank < 6; ++rank) {
        (rank < 3 ? low : high).add(detail(rank, walls[rank]));
    }
    const std::string bytes = to_bytes(low);
    low.merge(high);
    high.merge(from_bytes<RankSelection>(bytes, "ranks"));
    EXPECT_EQ(ranks_of(low), (std::vector<u64>{0, 1, 2, 4}));
    EXPECT_EQ(to_bytes(low), to_bytes(high));
    const RankDetail& last = low.ranks().back();
    EXPECT_EQ(last.host, "node4");
    EXPECT_EQ(last.threads, 5U);
    EXPECT_EQ(last.recorded.communication, 0.5);
    EXPECT_EQ(last.replayed.computation(), 7.75);
    EXPECT_EQ(last.asked_computation, 0.125);
    EXPECT_EQ(last.calls[0].function, MpiFunction::Send);
    EXPECT_EQ(last.calls[0].replayed, 2.0);
    EXPECT_EQ(last.peers[0].bytes, 64U);
    EXPECT_EQ(last.other_peers.messages, 6U);
    EXPECT_THROW(from_bytes<RankSelection>(bytes.substr(0, bytes.size() - 1), "ranks"), Error);
}

TEST(RankSelectionTest, CanBeEmpty) {
    RankSelection selection(0);
    selection.add(detail(0, 1));
    EXPECT_TRUE(selection.ranks().empty());
}

class TrafficTest : public ReplayObjectsTest {};

TEST_F(TrafficTest, NamesReceiversByTheirWorldRanks) {
    std::vector<u64> reversed(all());
    std::reverse(reversed.begin(), reversed.end());
    const u64 backwards = builder_.comm(reversed, builder_.world());
    start();
    Traffic traffic(*table_);
    Action send;
    send.kind = Action::Kind::send;
    send.envelope = {backwards, 0, 1, 100};
    Action receive;
    receive.kind = Action::Kind::receive;
    receive.envelope = {backwards, 0, 1, 1000};
    Action collective;
    collective.kind = Action::Kind::collective;
    collective.part = {builder_.world(), CollectiveKind::barrier, 0, 24, 24};
    for (int i = 0; i < 3; ++i) {
        Call call(MpiFunction::Sendrecv, {send, receive});
        traffic.add(call.get());
    }
    Call barrier(MpiFunction::Barrier, {collective});
    traffic.add(barrier.get());
    ASSERT_EQ(traffic.peers().size(), 1U);
    const auto& [peer, messages] = *traffic.peers().begin();
    EXPECT_EQ(peer, size() - 1);
    EXPECT_EQ(messages.count, 3U);
    EXPECT_EQ(messages.bytes, 300U);
    EXPECT_EQ(traffic.messages().buckets()[7].count, 3U);
    EXPECT_EQ(traffic.collectives().buckets()[5].bytes, 24U);
}

}  // namespace
}  // namespace tracefold::testing
