// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "forecast/run_profile.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// A run with some of ten call paths, whose ranks at both ends call some of them less often.
RunProfile made_run(u32 ranks, std::mt19937_64& random) {
    RunProfile run;
    run.name = std::to_string(ranks);
    run.ranks = ranks;
    run.has_times = true;
    for (u32 number = 0; number < 10; ++number) {
        if (random() % 4 == 0) continue;
        RunProfile::Path path{"program/f" + std::to_string(number), {}};
        for (u32 rank = 0; rank < ranks; ++rank) {
            const bool at_end = rank == 0 || rank == ranks - 1;
            path.visits.push_back(number % 2 == 0 && at_end ? 10 : 20);
            path.seconds.push_back(std::exponential_distribution<>(3)(random));
            path.totals[index_of(ProfileMetric::time)] += path.seconds.back();
        }
        run.paths.push_back(std::move(path));
    }
    return run;
}

std::vector<RunProfile> made_runs(const std::vector<u32>& sizes) {
    std::mt19937_64 random(5);
    std::vector<RunProfile> runs;
    for (const u32 ranks : sizes) runs.push_back(made_run(ranks, random));
    return runs;
}

/// The mean time of a rank, by the profile alone.
double time_of(const RunProfile& run) { return run.total(ProfileMetric::time) / run.ranks; }

void expect_parts_to_add_up(const std::vector<RunProfile>& runs, bool by_class) {
    const RunComparison comparison = compare_runs(runs, by_class);
    std::vector<double> seconds(runs.size(), 0);
    double change = 0;
    for (const ComparedPath& path : comparison.paths) {
        change += path.change;
        for (std::size_t run = 0; run < runs.size(); ++run) seconds[run] += path.seconds[run];
    }
    EXPECT_NEAR(change, time_of(runs.back()) - time_of(runs.front()), 1e-12);
    EXPECT_NEAR(comparison.change, change, 1e-12);
    for (std::size_t run = 0; run < runs.size(); ++run) {
        EXPECT_NEAR(seconds[run], time_of(runs[run]), 1e-12);
        EXPECT_NEAR(comparison.seconds[run], seconds[run], 1e-12);
    }
}

/// Twenty call paths that grow with the square root of the ranks, with noise of a factor.
std::vector<RunProfile> growing_runs(const std::vector<u32>& sizes, double noise,
                                     std::mt19937_64& random) {
    std::lognormal_distribution<> factor(0, noise);
    std::vector<RunProfile> runs;
    for (const u32 ranks : sizes) {
        RunProfile& run = runs.emplace_back();
        run.ranks = ranks;
        run.size = ranks;
        run.has_times = true;
        for (int number = 0; number < 20; ++number) {
            RunProfile::Path path{"program/f" + std::to_string(number), {}};
            path.totals[index_of(ProfileMetric::time)] =
                ranks * (1 + number + std::sqrt(ranks)) * factor(random);
            run.paths.push_back(std::move(path));
        }
    }
    return runs;
}

TEST(PathModelTest, NineOfTenTimesAheadAreInTheirIntervals) {
    std::mt19937_64 random(7);
    int inside = 0;
    int all = 0;
    for (int draw = 0; draw < 50; ++draw) {
        std::vector<RunProfile> runs = growing_runs({4, 8, 16, 32, 64, 128}, 0.2, random);
        const RunProfile largest = runs.back();
        runs.pop_back();
        const std::vector<PathModel> models = model_paths(runs);
        for (const RunProfile::Path& path : largest.paths) {
            const auto model = std::ranges::find(models, path.name, &PathModel::path);
            const auto interval = model->interval(128);
            ASSERT_TRUE(interval && model->hold_out_error);
            const double time = path.totals[index_of(ProfileMetric::time)] / 128;
            inside += interval->low <= time && time <= interval->high ? 1 : 0;
            ++all;
        }
    }
    EXPECT_GT(inside, all * 85 / 100);
}

TEST(PathModelTest, IntervalsWidenWithNoiseAndDistance) {
    std::mt19937_64 random(7);
    const auto width = [&](double noise, double size) {
        const auto models = model_paths(growing_runs({4, 8, 16, 32, 64}, noise, random));
        const auto interval = models.front().interval(size);
        return interval->high / interval->low;
    };
    EXPECT_LT(width(0.05, 128), width(0.5, 128));
    EXPECT_LT(width(0.2, 128), width(0.2, 4096));
    const auto two = model_paths(growing_runs({4, 8}, 0.2, random));
    EXPECT_FALSE(two.front().interval(16)) << "two sizes predict nothing ahead";
}

TEST(RunComparisonTest, ARenamedProgramHasTheSameCallPaths) {
    std::vector<RunProfile> runs(2);
    for (RunProfile& run : runs) run.ranks = 1, run.has_times = true;
    runs[0].paths = {{"old", {}}, {"old/solve", {}}};
    runs[1].paths = {{"new.x", {}}, {"new.x/solve", {}}};
    unify_roots(runs);
    EXPECT_EQ(compare_runs(runs).paths.size(), 2U);
    EXPECT_EQ(runs[1].paths[1].name, "old/solve");
    // Several roots: functions of the user, whose names tell them apart.
    runs[1].paths = {{"main", {}}, {"thread", {}}};
    unify_roots(runs);
    EXPECT_EQ(runs[1].paths[0].name, "main");
}

TEST(RunComparisonTest, PartsOfTwoRunsAddUp) {
    expect_parts_to_add_up(made_runs({16, 64}), false);
    expect_parts_to_add_up(made_runs({16, 64}), true);
    expect_parts_to_add_up(made_runs({8, 8}), true);
}

TEST(RunComparisonTest, PartsOfFiveRunsAddUp) {
    expect_parts_to_add_up(made_runs({4, 8, 16, 32, 64}), false);
    expect_parts_to_add_up(made_runs({64, 4, 32, 8, 16}), true);
}

TEST(RunComparisonTest, RanksThatCallOtherFunctionsOrLessOftenAreApart) {
    std::mt19937_64 random(1);
    RunProfile small = made_run(4, random);
    small.paths.resize(1);
    small.paths[0].name = "program/f0";
    small.paths[0].visits = {10, 20, 20, 10};
    RunProfile large = small;
    large.ranks = 6;
    large.paths[0].visits = {30, 50, 50, 50, 50, 30};
    large.paths[0].seconds = {1, 2, 2, 2, 2, 1};
    const RunComparison comparison = compare_runs({small, large}, true);
    EXPECT_EQ(comparison.class_ranks, (std::vector<std::vector<u64>>{{2, 2}, {2, 4}}));
}

TEST(RunComparisonTest, RunsWithoutTimesAreRefused) {
    std::vector<RunProfile> runs = made_runs({4, 8});
    runs[1].has_times = false;
    EXPECT_THROW(compare_runs(runs), Error);
}

}  // namespace
}  // namespace tracefold
