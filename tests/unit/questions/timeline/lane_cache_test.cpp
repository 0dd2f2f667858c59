// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/timeline/detail/lane_window.hpp"
#include "unit/questions/timeline/unwound_lane.hpp"

#include <atomic>
#include <stdexcept>
#include <thread>

namespace tracefold {
namespace {

/// Lanes of NPB LU, which are about equally large, and how often they were made.
class LaneCacheTest : public ::testing::Test {
  protected:
    LaneCacheTest() : file_("npb-lu.S-4", TimingLevel::exact), regions_(*file_) {
        const CommonClock clock = common_clock(*file_);
        for (u32 location = 0; location < 4; ++location) {
            lanes_.push_back(make_lane(*file_, regions_, clock, location));
            largest_ = std::max(largest_, lanes_.back()->memory());
        }
    }

    LaneCache::Maker maker() {
        return [this](u32 location) {
            ++made_;
            return lanes_[location];
        };
    }

    SampleFile file_;
    RegionUses regions_;
    std::vector<std::shared_ptr<const Lane>> lanes_;
    std::size_t largest_ = 0;
    std::atomic<int> made_ = 0;
};

TEST_F(LaneCacheTest, KeepsWhatHasRoom) {
    LaneCache cache(largest_ * 10);
    for (int round = 0; round < 3; ++round) {
        for (u32 location = 0; location < 4; ++location) {
            EXPECT_EQ(cache.get(location, maker()), lanes_[location]);
        }
    }
    EXPECT_EQ(made_, 4);
    EXPECT_EQ(cache.filling().lanes, 4U);
    std::size_t bytes = 0;
    for (const auto& lane : lanes_) bytes += lane->memory();
    EXPECT_EQ(cache.filling().bytes, bytes);
}

TEST_F(LaneCacheTest, LetsThoseGoThatWereNotUsedForLongest) {
    LaneCache cache(largest_ * 2 + largest_ / 4);
    for (const u32 location : {0U, 1U, 0U, 2U}) cache.get(location, maker());
    EXPECT_EQ(made_, 3);
    EXPECT_TRUE(cache.contains(0));
    EXPECT_FALSE(cache.contains(1));
    EXPECT_TRUE(cache.contains(2));
    EXPECT_LE(cache.filling().bytes, largest_ * 2 + largest_ / 4);
}

TEST_F(LaneCacheTest, HandsOutALaneThatIsLargerThanItsRoom) {
    LaneCache cache(1);
    EXPECT_EQ(cache.get(3, maker()), lanes_[3]);
    EXPECT_EQ(cache.filling().lanes, 1U);
    EXPECT_FALSE(cache.make_ahead({0, 1}, maker()));
}

TEST_F(LaneCacheTest, MakesAheadWhatNobodyHasMade) {
    LaneCache cache(largest_ * 10);
    cache.get(1, maker());
    EXPECT_TRUE(cache.make_ahead({1, 2}, maker()));
    EXPECT_TRUE(cache.contains(2));
    EXPECT_FALSE(cache.make_ahead({1, 2}, maker()));
    EXPECT_EQ(made_, 2);
}

TEST_F(LaneCacheTest, NothingGoesForWhatIsMadeAhead) {
    LaneCache cache(largest_ * 2 + largest_ / 4);
    while (cache.make_ahead({3, 2, 1, 0}, maker())) {
    }
    EXPECT_EQ(made_, 2);
    EXPECT_EQ(cache.get_if_room(3, maker()), lanes_[3]);
    EXPECT_EQ(cache.get_if_room(1, maker()), nullptr);
    EXPECT_EQ(made_, 2);
    EXPECT_EQ(cache.get(1, maker()), lanes_[1]);
    EXPECT_FALSE(cache.contains(2));
}

TEST_F(LaneCacheTest, WhatIsReleasedGoesFirstAndIsNotMadeAhead) {
    LaneCache cache(largest_ * 2 + largest_ / 4);
    cache.get(1, maker());
    cache.get(0, maker());
    cache.release(0);
    cache.release(0);
    EXPECT_TRUE(cache.make_ahead({0, 1, 2, 3}, maker()));
    EXPECT_FALSE(cache.contains(0));
    EXPECT_TRUE(cache.contains(1));
    EXPECT_TRUE(cache.contains(2));
    EXPECT_FALSE(cache.make_ahead({0, 1, 2, 3}, maker()));
    cache.release(1);
    EXPECT_EQ(cache.get(1, maker()), lanes_[1]);
    EXPECT_FALSE(cache.make_ahead({0, 1, 2, 3}, maker())) << "asked for again";
    EXPECT_EQ(made_, 3);
    cache.release(1);
    cache.release(2);
    EXPECT_EQ(cache.get_if_room(0, maker()), lanes_[0]);
    EXPECT_EQ(made_, 4);
}

TEST_F(LaneCacheTest, AFailureIsToldToWhoAsksAndForgotten) {
    LaneCache cache(largest_ * 10);
    const LaneCache::Maker fails = [](u32) -> std::shared_ptr<const Lane> {
        throw std::runtime_error("damaged");
    };
    EXPECT_THROW(cache.get(0, fails), std::runtime_error);
    EXPECT_EQ(cache.filling().lanes, 0U);
    EXPECT_EQ(cache.get(0, maker()), lanes_[0]);
}

TEST_F(LaneCacheTest, ManyWhoAskAtOnceGetOneLane) {
    LaneCache cache(largest_ * 10);
    const LaneCache::Maker slow = [this](u32 location) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return maker()(location);
    };
    std::vector<std::thread> threads;
    std::atomic<int> right = 0;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&, location = static_cast<u32>(i % 2)] {
            if (cache.get(location, slow) == lanes_[location]) ++right;
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(right, 8);
    EXPECT_EQ(made_, 2);
}

}  // namespace
}  // namespace tracefold
