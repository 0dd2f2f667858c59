// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/prediction/message_costs.hpp"

#include <map>
#include <random>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Cost = PathHistory::Cost;

/// Moments that go on, are copied and are dropped, with all their costs kept beside.
TEST(PathHistoryTest, CostsAreThoseOfTheWholeWay) {
    struct Moment {
        PathHistory::Ref ref = kNone;
        std::map<u64, i64> costs;
    };
    std::mt19937 random(1);
    PathHistory history;
    std::vector<Moment> moments(16);
    std::vector<PathHistory::Ref*> kept;
    for (Moment& moment : moments) kept.push_back(&moment.ref);
    for (int step = 0; step < 200000; ++step) {
        Moment& moment = moments[random() % moments.size()];
        if (random() % 3 == 0) moment = moments[random() % moments.size()];
        for (u32 i = random() % 4; i-- > 0;) {
            const Cost cost{random() % 20, static_cast<i64>(1 + random() % 1000)};
            moment.ref = history.add(moment.ref, cost);
            moment.costs[cost.key] += cost.time;
        }
        if (history.is_untidy()) history.tidy(kept);
    }
    for (const Moment& moment : moments) {
        std::map<u64, i64> found;
        for (const Cost& cost : history.costs(moment.ref)) found[cost.key] = cost.time;
        EXPECT_EQ(found, moment.costs);
    }
    // Ways have at most 31 parts between 16 moments, of 20 keys each.
    history.tidy(kept);
    EXPECT_LE(history.size(), 31U * 20);
}

TEST(PathHistoryTest, NothingIsLeftOfWhatIsDropped) {
    PathHistory history;
    PathHistory::Ref first = history.add(kNone, {1, 2});
    PathHistory::Ref second = history.add(first, {3, 4});
    second = history.add(second, {3, 5});
    EXPECT_EQ(history.size(), 3U);
    std::vector<PathHistory::Ref*> kept = {&first, &second};
    history.tidy(kept);
    EXPECT_EQ(history.size(), 2U);
    second = kNone;
    history.tidy(kept);
    EXPECT_EQ(history.size(), 1U);
    first = kNone;
    history.tidy(kept);
    EXPECT_EQ(history.size(), 0U);
}

TEST(PathHistoryTest, WaysHaveInCommonWhatWasBeforeTheyBranched) {
    PathHistory history;
    const PathHistory::Ref common = history.add(history.add(kNone, {1, 1}), {2, 1});
    PathHistory::Ref a = history.add(common, {3, 7});
    PathHistory::Ref b = history.add(history.add(common, {4, 8}), {5, 9});
    for (const bool tidied : {false, true}) {
        std::vector<PathHistory::Ref*> kept = {&a, &b};
        if (tidied) history.tidy(kept);
        std::vector<Cost> of_a;
        std::vector<Cost> of_b;
        history.since_common(a, b, of_a, of_b);
        ASSERT_EQ(of_a.size(), 1U);
        EXPECT_EQ(of_a.front().key, 3U);
        ASSERT_EQ(of_b.size(), 2U);
        EXPECT_EQ(of_b.front().time + of_b.back().time, 17);
    }
}

}  // namespace
}  // namespace tracefold
