// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "prediction/path_history.hpp"

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
    for (int step = 0; step < 50000; ++step) {
        Moment& moment = moments[random() % moments.size()];
        if (random() % 3 == 0) {
            Moment& other = moments[random() % moments.size()];
            history.hold(other.ref);
            history.release(moment.ref);
            moment = other;
        }
        std::vector<Cost> costs;
        for (u32 i = random() % 4; i-- > 0;) {
            costs.push_back({random() % 20, static_cast<i64>(random() % 1000)});
            moment.costs[costs.back().key] += costs.back().time;
        }
        moment.ref = history.extend(moment.ref, costs);
    }
    for (const Moment& moment : moments) {
        std::map<u64, i64> found;
        for (const Cost& cost : history.costs(moment.ref)) found[cost.key] = cost.time;
        EXPECT_EQ(found, moment.costs);
    }
    // Unbranched ways are one part: no more than twice what is held, but for those of late.
    EXPECT_LT(history.size(), 4096U);
}

TEST(PathHistoryTest, NothingIsLeftOfWhatIsDropped) {
    PathHistory history;
    std::vector<Cost> costs = {{1, 2}};
    const PathHistory::Ref first = history.extend(kNone, costs);
    history.hold(first);
    costs = {{3, 4}};
    const PathHistory::Ref second = history.extend(first, costs);
    EXPECT_EQ(history.size(), 2U);
    history.release(second);
    EXPECT_EQ(history.size(), 1U);
    history.release(first);
    EXPECT_EQ(history.size(), 0U);
}

}  // namespace
}  // namespace tracefold
