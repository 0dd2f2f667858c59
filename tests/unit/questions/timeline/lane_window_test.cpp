// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/timeline/detail/lane_window.hpp"

#include "unit/questions/timeline/unwound_lane.hpp"

namespace tracefold {
namespace {

constexpr int kWindows = 25;

class LaneWindowTest : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Samples, LaneWindowTest, ::testing::ValuesIn(kViewSamples),
                         sample_test_name<const char*>);

std::vector<LaneBox> boxes_within(const UnwoundLane& all, TickWindow window) {
    std::vector<LaneBox> boxes;
    for (const LaneBox& box : all.boxes) {
        const bool reaches = box.end > window.begin || box.begin >= window.begin;
        if (box.begin < window.end && reaches) boxes.push_back(box);
    }
    return boxes;
}

TEST_P(LaneWindowTest, BoxesAreTheRegionsOfTheWindow) {
    std::mt19937_64 random(1);
    u64 seen = 0;
    for_each_lane(GetParam(), [&](const Lane& lane, const UnwoundLane& all) {
        for (int i = 0; i < kWindows && lane.calls() > 0; ++i) {
            const TickWindow window = random_window(random, lane.begin(), lane.end());
            const auto found = lane_boxes(lane, window, 1'000'000);
            ASSERT_TRUE(found.has_value());
            const std::vector<LaneBox> wanted = boxes_within(all, window);
            ASSERT_EQ(found->size(), wanted.size()) << window.begin << " " << window.end;
            for (std::size_t box = 0; box < wanted.size(); ++box) {
                EXPECT_EQ((*found)[box].call, wanted[box].call);
                EXPECT_EQ((*found)[box].depth, wanted[box].depth);
                EXPECT_EQ((*found)[box].begin, wanted[box].begin);
                EXPECT_EQ((*found)[box].use, wanted[box].use);
                EXPECT_EQ(lane.symbols()[(*found)[box].symbol].id, wanted[box].symbol);
                if (!(*found)[box].open) {
                    EXPECT_EQ((*found)[box].end, wanted[box].end);
                }
                if ((*found)[box].open) {
                    EXPECT_GE(wanted[box].end, window.end);
                }
            }
            seen += wanted.size();
        }
    });
    EXPECT_GT(seen, 100U);
}

TEST(LaneWindowOfSamplesTest, ThereMayBeTooManyBoxes) {
    for_each_lane("npb-lu.S-4", [](const Lane& lane, const UnwoundLane& all) {
        const TickWindow whole{lane.begin(), lane.end() + 1};
        EXPECT_FALSE(lane_boxes(lane, whole, 100).has_value());
        EXPECT_TRUE(lane_boxes(lane, whole, all.boxes.size()).has_value());
    });
}

using Sums = std::vector<std::array<double, kTimeUses>>;

/// The shares of each column, from every stretch of time.
Sums sums_of(const UnwoundLane& all, TickWindow window, std::size_t columns) {
    Sums sums(columns);
    const double width = static_cast<double>(window.length()) / static_cast<double>(columns);
    for (const UnwoundLane::Spent& spent : all.spent) {
        for (std::size_t column = 0; column < columns; ++column) {
            const double left =
                static_cast<double>(window.begin) + width * static_cast<double>(column);
            const double from = std::max(left, static_cast<double>(spent.begin));
            const double to = std::min(left + width, static_cast<double>(spent.end));
            if (from < to) sums[column][static_cast<std::size_t>(spent.use)] += (to - from) / width;
        }
    }
    return sums;
}

TEST_P(LaneWindowTest, ColumnsShareTheTimeOut) {
    std::mt19937_64 random(2);
    int exact = 0;
    for_each_lane(GetParam(), [&](const Lane& lane, const UnwoundLane& all) {
        for (int i = 0; i < kWindows && lane.end() > lane.begin(); ++i) {
            const TickWindow window = random_window(random, lane.begin(), lane.end());
            const std::size_t columns = 1 + random() % 40;
            const LaneColumns found = lane_columns(lane, window, columns);
            ASSERT_EQ(found.shares.size(), columns);
            if (!found.exact) continue;
            ++exact;
            const Sums wanted = sums_of(all, window, columns);
            for (std::size_t column = 0; column < columns; ++column) {
                for (std::size_t use = 0; use < kTimeUses; ++use) {
                    EXPECT_NEAR(found.shares[column][use], wanted[column][use] * 255, 0.51)
                        << window.begin << " " << window.end << " " << column << " " << use;
                }
            }
        }
    });
    EXPECT_GT(exact, 5);
}

TEST_P(LaneWindowTest, SummariesTellTheWholeRun) {
    for_each_lane(GetParam(), [&](const Lane& lane, const UnwoundLane& all) {
        if (lane.end() == lane.begin()) return;
        const TickWindow whole{lane.begin(), lane.end()};
        const LaneColumns found = lane_columns(lane, whole, 1);
        const Sums wanted = sums_of(all, whole, 1);
        for (std::size_t use = 0; use < kTimeUses; ++use) {
            EXPECT_NEAR(found.shares[0][use], wanted[0][use] * 255, 1.01) << use;
        }
    });
}

TEST_P(LaneWindowTest, ThereIsNothingOutsideOfTheRun) {
    for_each_lane(GetParam(), [&](const Lane& lane, const UnwoundLane&) {
        const TickWindow behind{lane.end() + 10, lane.end() + 1000};
        EXPECT_FALSE(blocks_in(lane, behind).has_value());
        EXPECT_TRUE(lane_boxes(lane, behind, 10)->empty());
        for (const auto& column : lane_columns(lane, behind, 5).shares) {
            for (const u8 share : column) EXPECT_EQ(share, 0);
        }
        u64 visited = 0;
        visit_calls(lane, {lane.begin(), lane.end()}, [&](u64, const LaneItem&) {
            ++visited;
            return true;
        });
        EXPECT_EQ(visited, lane.calls());
    });
}

}  // namespace
}  // namespace tracefold
