// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/guard.hpp"

#include "base/error.hpp"
#include "base/rank_distribution.hpp"
#include "forecast/guard/guarded_run.hpp"
#include "forecast/guard/path_alignment.hpp"
#include "forecast/guard/time_test.hpp"
#include "support/expect_error.hpp"
#include "support/made_rerun.hpp"
#include "support/test_directory.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

constexpr double kAlpha = 0.05;
constexpr double kFloor = 0.02;

/// Quantities whose noise differs, with a factor that all of a run share; `slower` of the first
/// one.
class DrawnTimes {
  public:
    DrawnTimes(u64 seed, std::vector<double> noise) : random_(seed), noise_(std::move(noise)) {}

    std::vector<TimeSample> draw(std::size_t before, std::size_t after, double slower = 0) {
        std::vector<TimeSample> samples(noise_.size());
        for (std::size_t i = 0; i < noise_.size(); ++i) {
            std::normal_distribution<> noise(0, noise_[i]);
            for (std::size_t run = 0; run < before; ++run)
                samples[i].before.push_back(noise(random_));
            for (std::size_t run = 0; run < after; ++run)
                samples[i].after.push_back(noise(random_) + (i == 0 ? std::log1p(slower) : 0));
        }
        return samples;
    }

  private:
    std::mt19937_64 random_;
    std::vector<double> noise_;
};

bool finds(const TimeTest& test) { return test.p_slower < kAlpha && test.effect >= kFloor; }

int false_alarms(DrawnTimes times, std::size_t before, std::size_t after, int trials) {
    int alarms = 0;
    for (int trial = 0; trial < trials; ++trial)
        alarms += std::ranges::any_of(test_times(times.draw(before, after), kAlpha, kFloor), finds);
    return alarms;
}

TEST(TimeTestTest, RunsOfOneProgramRarelyRaiseAnAlarm) {
    const std::vector<double> alike(12, 0.02);
    EXPECT_LE(false_alarms({1, alike}, 5, 1, 400), 28);
    EXPECT_LE(false_alarms({2, alike}, 5, 3, 400), 28);
    EXPECT_LE(false_alarms({3, alike}, 12, 6, 400), 28) << "by ranks";
    const std::vector<double> mixed = {0.002, 0.003, 0.004, 0.005, 0.01, 0.02,
                                       0.05,  0.1,   0.1,   0.2,   0.3,  0.5};
    EXPECT_LE(false_alarms({4, mixed}, 5, 1, 400), 28);
    EXPECT_LE(false_alarms({5, mixed}, 5, 3, 400), 28);
}

TEST(TimeTestTest, EffectsThatCanBeSeenAreFound) {
    for (const double noise : {0.005, 0.01, 0.02}) {
        for (const auto& [before, after] : {std::pair(5, 1), {5, 3}, {5, 5}, {15, 6}}) {
            DrawnTimes times(7, std::vector<double>(12, noise));
            int visible = 0;
            int found = 0;
            for (int trial = 0; trial < 200; ++trial) {
                const auto tests = test_times(times.draw(static_cast<std::size_t>(before),
                                                         static_cast<std::size_t>(after), 0.05),
                                              kAlpha, kFloor);
                if (std::expm1(tests[0].detectable) > 0.05) continue;
                ++visible;
                found += finds(tests[0]) ? 1 : 0;
            }
            EXPECT_GE(found * 10, visible * 9 - 10) << noise << " " << before << " " << after;
            EXPECT_TRUE(noise > 0.005 || visible >= 150) << visible;
        }
    }
}

TEST(TimeTestTest, OneRunOfEachSideShowsNothing) {
    const std::vector<TimeSample> samples = {{{0}, {1}, false}, {{0}, {2}, false}};
    for (const TimeTest& test : test_times(samples, kAlpha, kFloor)) {
        EXPECT_TRUE(std::isinf(test.detectable));
        EXPECT_EQ(test.p_slower, 1);
    }
}

TEST(TimeTestTest, EqualRunsAreEqual) {
    const std::vector<TimeSample> samples(5, TimeSample{{1, 1, 1}, {1, 1}, false});
    for (const TimeTest& test : test_times(samples, kAlpha, kFloor)) {
        EXPECT_EQ(test.effect, 0);
        EXPECT_LT(test.high, kFloor);
        EXPECT_EQ(test.p_slower, 1);
    }
}

TEST(TimeTestTest, ThePriorOfEqualVariancesIsStrong) {
    std::mt19937_64 random(3);
    std::vector<VarianceEstimate> alike;
    std::vector<VarianceEstimate> apart;
    for (int i = 0; i < 50; ++i) {
        const double drawn = std::chi_squared_distribution<>(4)(random) / 4;
        alike.push_back({4 * drawn, 4});
        apart.push_back({drawn * std::pow(10.0, i % 5), 4});
    }
    EXPECT_GT(variance_prior(alike).degrees, 5);
    EXPECT_NEAR(std::log(variance_prior(alike).variance), std::log(4), 0.3);
    EXPECT_LT(variance_prior(apart).degrees, 1);
    EXPECT_EQ(variance_prior(std::span(alike).first(3)).degrees, 0);
}

TEST(TimeTestTest, TheRanksOfTwoSamples) {
    // All 20 choices of three of six values; one is the most extreme one.
    const std::vector<double> below = mann_whitney_distribution(3, 3);
    ASSERT_EQ(below.size(), 10U);
    EXPECT_DOUBLE_EQ(below[0], 1.0 / 20);
    EXPECT_DOUBLE_EQ(below[1], 2.0 / 20);
    EXPECT_DOUBLE_EQ(below[9], 1);
    EXPECT_NEAR(mann_whitney_distribution(31, 10)[155], 0.5, 0.02);
}

TEST(LastLevelTest, BeginsAfterTheLastChange) {
    std::mt19937_64 random(5);
    std::normal_distribution<> noise(0, 0.01);
    std::vector<double> series;
    for (int i = 0; i < 30; ++i) series.push_back(noise(random));
    EXPECT_EQ(last_level(series), 0U);
    for (int i = 10; i < 30; ++i) series[static_cast<std::size_t>(i)] += 0.1;
    EXPECT_EQ(last_level(series), 10U);
    for (int i = 22; i < 30; ++i) series[static_cast<std::size_t>(i)] -= 0.05;
    EXPECT_EQ(last_level(series), 22U);
    EXPECT_EQ(last_level(std::span(series).first(9)), 0U) << "two levels need ten values";
}

/// Reruns of one program that had one level: rarely any of their values is left out.
TEST(LastLevelTest, OneLevelIsRarelyTakenForTwo) {
    std::mt19937_64 random(5);
    std::normal_distribution<> noise(0, 1);
    int changes = 0;
    for (int trial = 0; trial < 500; ++trial) {
        std::vector<double> series(20);
        for (double& value : series) value = noise(random);
        changes += last_level(series) != 0 ? 1 : 0;
    }
    EXPECT_LE(changes, 15);
}

struct MadePath {
    std::string call;
    u32 parent;
    u64 visits;
};

GuardedRun run_of(const std::vector<MadePath>& paths, RankNumbers& numbers) {
    GuardedRun run;
    for (const MadePath& made : paths) {
        GuardedRun::Path& path = run.paths.emplace_back();
        path.call = made.call;
        path.name =
            made.parent == kNone ? made.call : run.paths[made.parent].name + "/" + made.call;
        path.parent = made.parent;
        path.is_mpi = made.call.starts_with("MPI_");
        path.numbers[0] = numbers.add({made.visits});
    }
    return run;
}

TEST(PathAlignmentTest, RenamedFunctionsAreFoundByTheirCalls) {
    RankNumbers numbers;
    const GuardedRun before = run_of({{"old", kNone, 1},
                                      {"solve", 0, 10},
                                      {"MPI_Send", 1, 40},
                                      {"print", 0, 2},
                                      {"MPI_Reduce", 3, 2}},
                                     numbers);
    const GuardedRun after = run_of({{"new", kNone, 1},
                                     {"Solver::run", 0, 10},
                                     {"MPI_Send", 1, 40},
                                     {"log", 0, 2},
                                     {"MPI_Reduce", 3, 2}},
                                    numbers);
    const AlignedTree tree = align_runs({&before, &after});
    EXPECT_EQ(tree.nodes.size(), 5U);
    EXPECT_EQ(tree.paths[0], tree.paths[1]);
    ASSERT_EQ(tree.renamed.size(), 3U);
    EXPECT_EQ(std::ranges::count(tree.renamed, std::pair(std::string("old/solve"),
                                                         std::string("new/Solver::run"))),
              1);
}

TEST(PathAlignmentTest, FunctionsThatAreEquallyAlikeAreNot) {
    RankNumbers numbers;
    const GuardedRun before =
        run_of({{"main", kNone, 1}, {"a", 0, 10}, {"b", 0, 10}, {"c", 0, 3}}, numbers);
    const GuardedRun after =
        run_of({{"main", kNone, 1}, {"x", 0, 10}, {"y", 0, 10}, {"c", 0, 3}}, numbers);
    const AlignedTree tree = align_runs({&before, &after});
    EXPECT_EQ(tree.nodes.size(), 6U);
    EXPECT_TRUE(tree.renamed.empty());
}

TEST(PathAlignmentTest, FunctionsOfMpiAreTheirNames) {
    RankNumbers numbers;
    const GuardedRun before = run_of({{"main", kNone, 1}, {"MPI_Send", 0, 10}}, numbers);
    const GuardedRun after = run_of({{"main", kNone, 1}, {"MPI_Ssend", 0, 10}}, numbers);
    EXPECT_EQ(align_runs({&before, &after}).nodes.size(), 3U);
}

TEST(RankNumbersTest, EqualNumbersAreOneAndRanksAreNamed) {
    RankNumbers numbers;
    EXPECT_EQ(numbers.add({0, 0}), nullptr);
    const auto first = numbers.add({1, 2, 3, 4});
    EXPECT_EQ(numbers.add({1, 2, 3, 4}), first);
    EXPECT_EQ(RankNumbers::sum(first), 10U);
    EXPECT_EQ(RankNumbers::differing(first, numbers.add({1, 5, 6, 7})), "1-3");
    EXPECT_EQ(RankNumbers::differing(nullptr, first), "0-3");
    EXPECT_EQ(RankNumbers::sum(numbers.add({kOverflow, 1})), kOverflow);
}

using testing::MadeRerun;
using testing::MadeTrace;

/// Folded reruns of the made solver, with what a test changes.
class GuardTest : public ::testing::Test {
  protected:
    void add(const MadeRerun& run, bool is_new, TimingLevel timing = TimingLevel::exact) {
        MadeTrace trace(MadeRerun::kShape);
        run.make(trace);
        add(trace, is_new, timing);
    }
    void add(MadeTrace& trace, bool is_new, TimingLevel timing = TimingLevel::exact) {
        const std::string path = (directory_ / (std::to_string(++files_) + ".tfold")).string();
        trace.fold(path, timing);
        TraceFile file(path);
        if (is_new) {
            guard_.add_run(file, std::to_string(files_));
        } else {
            guard_.add_baseline(file, std::to_string(files_));
        }
    }
    /// Five baselines and three runs, of which `change` is the difference.
    GuardResult judge(const MadeRerun& change, const GuardSettings& settings = {}) {
        MadeRerun run;
        run.noise = change.noise;
        run.machine = change.machine;
        for (run.seed = 1; run.seed <= 5; ++run.seed) add(run, false);
        MadeRerun changed = change;
        for (changed.seed = 6; changed.seed <= 8; ++changed.seed) add(changed, true);
        return guard_.judge(settings);
    }
    static const GuardedTime& time_of(const GuardResult& result, const std::string& end) {
        return *std::ranges::find_if(
            result.times, [&](const GuardedTime& time) { return time.path.ends_with(end); });
    }

    TestDirectory directory_;
    int files_ = 0;
    Guard guard_;
};

TEST_F(GuardTest, RerunsAreEqual) {
    const GuardResult result = judge({.noise = 0.002});
    EXPECT_EQ(result.verdict, GuardVerdict::equal);
    EXPECT_TRUE(result.differences.empty());
    EXPECT_EQ(result.varying, 0U);
    EXPECT_EQ(result.ranks, 4U);
    EXPECT_EQ(result.times.front().path, "all call paths");
    EXPECT_EQ(result.times[1].path, "solver/smooth") << "the largest one";
}

TEST_F(GuardTest, ASlowerFunctionIsNamed) {
    const GuardResult result = judge({.noise = 0.004, .slower = 0.05, .machine = 0.03});
    EXPECT_EQ(result.verdict, GuardVerdict::slower);
    EXPECT_TRUE(result.has_common) << "the machines differ by 3 %";
    const GuardedTime& smooth = time_of(result, "/smooth");
    EXPECT_EQ(smooth.verdict, TimeVerdict::slower);
    EXPECT_NEAR(smooth.change, 0.05, 0.01);
    EXPECT_LT(smooth.low, smooth.change);
    EXPECT_LT(smooth.detectable, 0.05);
    EXPECT_EQ(smooth.used, 5U);
    for (const char* other : {"/assemble", "/flux", "/restrict", "/coarse"})
        EXPECT_NE(time_of(result, other).verdict, TimeVerdict::slower) << other;
}

TEST_F(GuardTest, AFasterFunctionPasses) {
    const GuardResult result = judge({.noise = 0.002, .slower = -0.2});
    EXPECT_EQ(time_of(result, "/smooth").verdict, TimeVerdict::faster);
    EXPECT_NE(result.verdict, GuardVerdict::slower);
}

TEST_F(GuardTest, OneRunOfEachSideComparesStructureOnly) {
    add(MadeRerun{}, false);
    add(MadeRerun{.slower = 1}, true);
    const GuardResult result = guard_.judge({});
    EXPECT_EQ(result.verdict, GuardVerdict::undecided);
    EXPECT_TRUE(result.differences.empty());
}

TEST_F(GuardTest, CountsAreThoseOfACallPath) {
    const GuardResult result = judge({.steps = 21});
    EXPECT_EQ(result.verdict, GuardVerdict::structure);
    const auto smooth = std::ranges::find_if(result.differences, [](const auto& it) {
        return it.place == "solver/smooth" && it.kind == StructureKind::counts;
    });
    ASSERT_NE(smooth, result.differences.end());
    EXPECT_EQ(smooth->what, "visits");
    EXPECT_EQ(smooth->baseline, 80U);
    EXPECT_EQ(smooth->current, 84U);
    EXPECT_EQ(smooth->ranks, "0-3");
    EXPECT_EQ(smooth->run, "6");
}

TEST_F(GuardTest, BytesAreThoseOfACallPath) {
    const GuardResult result = judge({.bytes = 4104});
    ASSERT_EQ(result.differences.size(), 2U);
    EXPECT_EQ(result.differences[0].place, "solver/MPI_Send");
    EXPECT_EQ(result.differences[0].what, "bytes_sent_p2p");
    EXPECT_EQ(result.differences[0].current, 4104U * 80);
    EXPECT_EQ(result.differences[1].place, "solver/MPI_Recv");
}

TEST_F(GuardTest, OrderIsThatOfAllCalls) {
    const GuardResult result = judge({.swaps = true});
    ASSERT_EQ(result.differences.size(), 1U);
    EXPECT_EQ(result.differences[0].kind, StructureKind::order);
    EXPECT_EQ(result.differences[0].ranks, "0-3");
}

TEST_F(GuardTest, PollingNeverCounts) {
    const GuardResult result = judge({.polls = 7});
    EXPECT_TRUE(result.differences.empty());
}

TEST_F(GuardTest, RenamedFunctionsKeepTheirTimes) {
    const GuardResult result = judge({.noise = 0.004, .slower = 0.05, .smooth = "relax"});
    EXPECT_TRUE(result.differences.empty());
    ASSERT_EQ(result.renamed.size(), 1U);
    EXPECT_EQ(result.renamed.front(),
              std::pair(std::string("solver/relax"), std::string("solver/smooth")));
    EXPECT_EQ(time_of(result, "/relax").verdict, TimeVerdict::slower);
}

TEST_F(GuardTest, WhatIsAllowedPasses) {
    GuardSettings settings;
    settings.allows = [](StructureKind kind, const std::string& place) {
        return kind == StructureKind::order && place.empty();
    };
    const GuardResult result = judge({.swaps = true}, settings);
    EXPECT_EQ(result.differences.size(), 1U);
    EXPECT_TRUE(result.differences[0].allowed);
    EXPECT_NE(result.verdict, GuardVerdict::structure);
}

TEST_F(GuardTest, NumbersThatBaselinesDoNotShareAreNotFixed) {
    for (const u32 steps : {20U, 21U}) add(MadeRerun{.steps = steps}, false);
    add(MadeRerun{.steps = 23}, true);
    const GuardResult result = guard_.judge({});
    EXPECT_TRUE(result.differences.empty());
    EXPECT_GT(result.varying, 5U);
}

TEST_F(GuardTest, OtherNumbersOfRanksAndLevelsAreRefused) {
    add(MadeRerun{}, false);
    MadeTrace alone({.ranks = 1});
    alone.call(0, "MPI_Init");
    const Error ranks = expect_error([&] { add(alone, true); });
    EXPECT_EQ(ranks.kind(), ErrorKind::unsupported);
    EXPECT_STREQ(ranks.what(), "1 has 4 ranks and 2 has 1: only equal numbers can be compared");
    const Error level = expect_error([&] { add(MadeRerun{}, true, TimingLevel::none); });
    EXPECT_EQ(level.kind(), ErrorKind::unsupported);
}

TEST_F(GuardTest, WithoutTimesOnlyStructureIsCompared) {
    add(MadeRerun{}, false, TimingLevel::none);
    add(MadeRerun{}, true, TimingLevel::none);
    const GuardResult result = guard_.judge({});
    EXPECT_EQ(result.verdict, GuardVerdict::equal);
    EXPECT_TRUE(result.times.empty());
}

}  // namespace
}  // namespace tracefold
