// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/timeline/detail/lane.hpp"

#include "unit/questions/timeline/unwound_lane.hpp"

#include <numeric>

namespace tracefold {
namespace {

class LaneTest : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Samples, LaneTest, ::testing::ValuesIn(kViewSamples),
                         sample_test_name<const char*>);

TEST_P(LaneTest, HoldsEveryCallInItsBlocks) {
    u64 calls = 0;
    for_each_lane(GetParam(), [&](const Lane& lane, const UnwoundLane& all) {
        ASSERT_EQ(lane.calls(), all.items.size());
        EXPECT_EQ(lane.end(), all.end);
        u64 call = 0;
        for (std::size_t block = 0; block < lane.blocks().size(); ++block) {
            EXPECT_EQ(lane.blocks()[block].first_call, call);
            EXPECT_EQ(lane.block_of(call), block);
            for (const LaneItem& item : lane.items(block)) {
                ASSERT_LT(call, all.items.size());
                EXPECT_EQ(lane.symbols()[item.symbol].id, all.items[call].symbol) << call;
                EXPECT_EQ(item.begin, all.items[call].begin) << call;
                EXPECT_EQ(item.duration, all.items[call].duration) << call;
                ++call;
            }
        }
        EXPECT_EQ(call, lane.calls());
        calls += call;
        for (u64 some = 0; some < lane.calls(); some += 97) {
            EXPECT_EQ(lane.item(some).begin, all.items[some].begin);
        }
    });
    EXPECT_GT(calls, 100U);
}

TEST_P(LaneTest, FindsTheBlockOfAMoment) {
    for_each_lane(GetParam(), [&](const Lane& lane, const UnwoundLane&) {
        for (std::size_t block = 0; block < lane.blocks().size(); ++block) {
            const u64 begin = lane.blocks()[block].begin;
            const std::size_t found = lane.block_at(begin);
            EXPECT_EQ(lane.blocks()[found].begin, begin);
            EXPECT_GE(found, block);  // the last of those that begin at once
            if (begin != 0) {
                EXPECT_LE(lane.block_at(begin - 1), block);
            }
        }
    });
}

TEST_P(LaneTest, SummariesShareOutAllTime) {
    for_each_lane(GetParam(), [&](const Lane& lane, const UnwoundLane& all) {
        ASSERT_EQ(lane.chunks().size(),
                  (all.items.size() + Lane::kChunkItems - 1) / Lane::kChunkItems);
        for (std::size_t chunk = 0; chunk < lane.chunks().size(); ++chunk) {
            EXPECT_EQ(lane.chunks()[chunk].begin, all.items[chunk * Lane::kChunkItems].begin);
            const auto& shares = lane.chunks()[chunk].shares;
            const int sum = std::accumulate(shares.begin(), shares.end(), 0);
            if (lane.chunk_end(chunk) > lane.chunks()[chunk].begin) {
                EXPECT_NEAR(sum, 255, 6);
            }
        }
    });
}

TEST_P(LaneTest, KnowsTheRegionsAroundACallAndWhereTheyEnd) {
    for_each_lane(GetParam(), [&](const Lane& lane, const UnwoundLane& all) {
        for (u64 call = 0; call < lane.calls(); call += 13) {
            std::vector<u64> around;
            for (const LaneScope& scope : scopes_of(lane, call)) around.push_back(scope.call);
            EXPECT_EQ(around, all.around[call]) << call;
        }
        std::size_t looked_at = 0;
        for (const LaneBox& box : all.boxes) {
            if (all.uses[box.call].kind != CallKind::enter || looked_at++ % 7 != 0) continue;
            const std::optional<u64> end = end_of_scope(lane, box.call);
            EXPECT_EQ(end.has_value(), !box.open) << box.call;
            if (end) {
                EXPECT_EQ(*end, box.end) << box.call;
            }
        }
    });
}

}  // namespace
}  // namespace tracefold
