// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/request_list.hpp"

#include "fold/late_values.hpp"

#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

const auto kAnyKind = [](RequestKind) { return true; };

std::optional<i64> distance_of(const RequestList& list, u64 id) {
    i64 distance = 0;
    u32 node = kNone;
    if (!list.find(id, kAnyKind, distance, node)) return std::nullopt;
    EXPECT_EQ(list.at(distance), node);
    EXPECT_EQ(list[node].id, id);
    return distance;
}

void complete(RequestList& list, u64 id) {
    const std::optional<i64> distance = distance_of(list, id);
    ASSERT_TRUE(distance.has_value());
    list.remove(list.at(*distance));
}

TEST(RequestListTest, CountsFromThePlaceOfThePreviousCompletion) {
    RequestList list;
    EXPECT_EQ(list.oldest(), kNone);
    for (u64 id = 10; id < 20; ++id) list.add(id, RequestKind::send, kNone);
    EXPECT_EQ(distance_of(list, 10), 0);
    EXPECT_EQ(distance_of(list, 19), 9);
    EXPECT_EQ(distance_of(list, 99), std::nullopt);
    complete(list, 14);
    EXPECT_EQ(distance_of(list, 15), 0);
    EXPECT_EQ(distance_of(list, 13), -1);
    EXPECT_EQ(distance_of(list, 10), -4);
    EXPECT_EQ(distance_of(list, 19), 4);
    complete(list, 13);
    EXPECT_EQ(distance_of(list, 15), 0);
    EXPECT_EQ(distance_of(list, 12), -1);
    EXPECT_EQ(list[list.oldest()].id, 10U);
}

TEST(RequestListTest, NoticesWhatHappensToOldRequests) {
    RequestList list;
    list.add(1, RequestKind::send, kNone);
    list.add(2, RequestKind::send, kNone);
    complete(list, 2);
    list.watch();
    EXPECT_TRUE(list.is_as_watched());
    list.add(3, RequestKind::send, kNone);
    EXPECT_FALSE(list.is_as_watched());  // one more
    complete(list, 3);
    EXPECT_TRUE(list.is_as_watched());
    list.add(1, RequestKind::receive, kNone);
    list.remove(list.oldest());
    EXPECT_FALSE(list.is_as_watched());  // as many, but not the same
    list.watch();
    EXPECT_TRUE(list.is_as_watched());
    list.touch(list.oldest());
    EXPECT_FALSE(list.is_as_watched());
}

TEST(RequestListTest, FindsTheNearestOfEqualIds) {
    RequestList list;
    for (int i = 0; i < 6; ++i) {
        list.add(7, i % 2 == 0 ? RequestKind::send : RequestKind::receive, static_cast<u32>(i));
    }
    i64 distance = 0;
    u32 node = kNone;
    const auto receives = [](RequestKind kind) { return kind == RequestKind::receive; };
    ASSERT_TRUE(list.find(7, receives, distance, node));
    EXPECT_EQ(distance, 1);
    EXPECT_EQ(list[node].payload, 1U);
    const auto collectives = [](RequestKind kind) { return kind == RequestKind::collective; };
    EXPECT_FALSE(list.find(7, collectives, distance, node));
}

TEST(RequestListTest, ReachesOnlySoFar) {
    RequestList list;
    const u64 reach = RequestList::kReach;
    for (u64 id = 0; id < 3 * reach; ++id) list.add(id, RequestKind::send, kNone);
    EXPECT_EQ(distance_of(list, reach - 1), RequestList::kReach - 1);
    EXPECT_EQ(distance_of(list, reach), std::nullopt);
    complete(list, reach - 1);
    EXPECT_EQ(distance_of(list, 0), 1 - RequestList::kReach);
    complete(list, reach);
    EXPECT_EQ(distance_of(list, 0), 1 - RequestList::kReach);
    complete(list, 2 * reach);
    EXPECT_EQ(distance_of(list, 0), std::nullopt);
}

TEST(RequestListTest, DamagedDistancesLeadNowhere) {
    RequestList list;
    EXPECT_EQ(list.at(0), kNone);
    EXPECT_EQ(list.at(-1), kNone);
    list.add(1, RequestKind::send, kNone);
    EXPECT_NE(list.at(0), kNone);
    for (const i64 distance : {i64{1}, i64{-1}, i64{-2}, i64{1} << 40, -(i64{1} << 40),
                               std::numeric_limits<i64>::max(), std::numeric_limits<i64>::min()}) {
        EXPECT_EQ(list.at(distance), kNone) << distance;
    }
}

class LateValuesTest : public ::testing::Test {
  protected:
    /// What has been given out since the last call, as (column, value).
    std::vector<std::pair<u32, u64>> given() {
        std::vector<std::pair<u32, u64>> all;
        for (const CallBatch::Value& entry : out_.values)
            all.emplace_back(entry.column, entry.value);
        out_.clear();
        return all;
    }

    using Given = std::vector<std::pair<u32, u64>>;
    LateValues late_;
    CallBatch out_;
};

TEST_F(LateValuesTest, LeaveInPostingOrder) {
    const u32 first = late_.add(2);
    const u32 second = late_.add(2);
    late_.post(first, 5, out_);
    late_.post(second, 5, out_);
    late_.resolve(second, {21, 22, 0, 0, 0}, out_);
    EXPECT_EQ(given(), Given{});
    late_.resolve(first, {11, 12, 0, 0, 0}, out_);
    EXPECT_EQ(given(), (Given{{5, 11}, {6, 12}, {5, 21}, {6, 22}}));
}

TEST_F(LateValuesTest, QueuesDoNotWaitForEachOther) {
    const u32 first = late_.add(1);
    const u32 second = late_.add(1);
    late_.post(first, 1, out_);
    late_.post(second, 9, out_);
    late_.resolve(second, {2, 0, 0, 0, 0}, out_);
    EXPECT_EQ(given(), (Given{{9, 2}}));
    late_.resolve(first, {1, 0, 0, 0, 0}, out_);
    EXPECT_EQ(given(), (Given{{1, 1}}));
}

TEST_F(LateValuesTest, AQueueThatNeverRunsEmptyKeepsItsOrder) {
    std::vector<u32> open{late_.add(1)};
    late_.post(open[0], 2, out_);
    u64 resolved = 0;
    for (u64 i = 0; i < 1000; ++i) {
        // One to three are outstanding at any time.
        for (u64 k = 0; k < 1 + i % 3; ++k) {
            open.push_back(late_.add(1));
            late_.post(open.back(), 2, out_);
        }
        while (open.size() > 1) {
            late_.resolve(open.front(), {resolved++, 0, 0, 0, 0}, out_);
            open.erase(open.begin());
        }
    }
    const Given all = given();
    ASSERT_EQ(all.size(), resolved);
    for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], std::pair(2U, u64{i}));
}

TEST_F(LateValuesTest, MayBeKnownBeforeTheCallIs) {
    const u32 entry = late_.add(5);
    late_.resolve(entry, {1, 2, 3, 4, 5}, out_);
    EXPECT_EQ(given(), Given{});
    late_.post(entry, 3, out_);
    EXPECT_EQ(given(), (Given{{3, 1}, {4, 2}, {5, 3}, {6, 4}, {7, 5}}));
    EXPECT_EQ(late_.add(1), entry) << "entries are used again";
}

}  // namespace
}  // namespace tracefold
