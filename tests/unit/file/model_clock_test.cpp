// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "file/call_reader.hpp"
#include "file/tick_source.hpp"
#include "support/sample_file.hpp"

#include <numeric>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

std::vector<u64> times_of(TraceFile& file, u32 location, Times times) {
    std::vector<u64> all;
    CallReader calls(file, location, times);
    while (calls.next()) {
        for (const RecordBatch::Head& head : calls.records().heads()) all.push_back(head.time);
    }
    return all;
}

/// One edge of symbol 0 to itself.
TimingModel model_of(const std::vector<u64>& durations) {
    TimingModel model;
    Durations edge;
    for (const u64 duration : durations) edge.all.add(duration);
    edge.means = {{0, 1, 2 * rounded_mean(edge.all.mean())}};
    model.nodes.push_back({0, {}, {{0, 0}, {2, 10}}});
    model.edges.push_back({0, 0, edge});
    return model;
}

TEST(ModelClock, TakesMeansOfTheLocation) {
    const TimingModel model = model_of({10, 30});
    ModelClock clock(model, 0, 1, Times::mean);
    EXPECT_EQ(clock.next({0, 0}), 0U);
    EXPECT_EQ(clock.next({0, 1}), 5U);
    EXPECT_EQ(clock.next({0, 0}), 40U);
    ModelClock other(model, 7, 1, Times::mean);
    other.next({0, 0});
    EXPECT_EQ(other.next({0, 0}), 20U);
}

TEST(ModelClock, TakesExtremesOfAllLocations) {
    const TimingModel model = model_of({10, 30, 80});
    for (const auto& [kind, ticks] : {std::pair{Times::least, 10U}, {Times::most, 80U}}) {
        ModelClock clock(model, 0, 1, kind);
        clock.next({0, 0});
        EXPECT_EQ(clock.next({0, 0}), ticks);
    }
}

TEST(ModelClock, DrawsAsOftenAsThereWere) {
    const TimingModel model = model_of({10, 10, 10, 1000});
    ModelClock clock(model, 7, 1, {Times::sample, 3});
    clock.next({0, 0});
    u64 long_ones = 0;
    for (int i = 0; i < 4000; ++i) {
        const u64 ticks = clock.next({0, 0});
        EXPECT_TRUE(ticks == 10 || ticks == 1000) << ticks;
        long_ones += ticks == 1000 ? 1 : 0;
    }
    EXPECT_GT(long_ones, 800U);
    EXPECT_LT(long_ones, 1200U);
}

TEST(ModelClock, RefusesUnknownWays) {
    const TimingModel model = model_of({1});
    ModelClock clock(model, 0, 2, Times::mean);
    clock.next({1, 0});
    EXPECT_THROW(clock.next({0, 0}), Error);
    EXPECT_THROW(clock.next({1, 1}), Error);
    EXPECT_THROW(clock.next({0, 2}), Error);
}

TEST(ModelClock, MeansOfExactTimesLastAsLong) {
    SampleFile file("micro-stencil2d9p-isend-4", TimingLevel::exact);
    const std::vector<u64> exact = times_of(*file, 1, Times::read);
    const std::vector<u64> mean = times_of(*file, 1, Times::mean);
    ASSERT_EQ(mean.size(), exact.size());
    const auto wanted = static_cast<double>(exact.back() - exact.front());
    EXPECT_NEAR(static_cast<double>(mean.back() - mean.front()), wanted, 0.02 * wanted);
}

TEST(ModelClock, TheSeedDecides) {
    for (const TimingLevel timing : {TimingLevel::exact, TimingLevel::histogram}) {
        SampleFile file("micro-stencil2d9p-isend-4", timing);
        const std::vector<u64> first = times_of(*file, 1, {Times::sample, 5});
        EXPECT_EQ(times_of(*file, 1, {Times::sample, 5}), first);
        EXPECT_NE(times_of(*file, 1, {Times::sample, 6}), first);
        EXPECT_TRUE(std::is_sorted(first.begin(), first.end()));
    }
}

}  // namespace
}  // namespace tracefold
