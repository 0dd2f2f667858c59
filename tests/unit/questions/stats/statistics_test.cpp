// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/stats/statistics.hpp"

#include "base/communicator.hpp"
#include "base/error.hpp"
#include "questions/stats/distribution.hpp"
#include "support/sample_file.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

constexpr const char* kSamples[] = {"micro-anysrc-4", "micro-mpiio-4", "micro-omphyb-4",
                                    "micro-pcoll-4",  "micro-rma-4",   "micro-stencil2d9p-isend-4",
                                    "micro-user-4",   "npb-lu.S-4",    "tau-colls-4"};

Statistics statistics_of(TraceFile& file, const SampleRequest& request) {
    SerialCommunicator alone;
    return collect_statistics(alone, file, request);
}

/// Calls and bytes over calls and ranks, by name.
using Counted = std::map<std::string, std::vector<Moments>>;

Counted counted(const Statistics& statistics) {
    Counted result;
    for (const Statistics::Row& row : statistics.rows) {
        for (const SampleScope over : {SampleScope::calls, SampleScope::ranks}) {
            for (const Quantity what : {Quantity::calls, Quantity::sent, Quantity::received}) {
                result[row.name()].push_back(row.figures.of(over, what));
            }
        }
    }
    return result;
}

const Statistics::Row& row_of(const Statistics& statistics, const std::string& name) {
    return *std::find_if(statistics.rows.begin(), statistics.rows.end(),
                         [&name](const Statistics::Row& row) { return row.name() == name; });
}

class StatisticsTest : public ::testing::TestWithParam<const char*> {};

TEST_P(StatisticsTest, CountsTheSameInTheFoldedFormAsCallByCall) {
    SampleFile file(GetParam(), TimingLevel::none);
    SampleRequest request;
    request.iterations = false;
    // What operations on files move, only the records one by one tell.
    const bool uses_files = std::string(GetParam()) == "micro-mpiio-4";
    EXPECT_NE(Sampler(*file, request).is_folded(), uses_files);
    const Statistics folded = statistics_of(*file, request);
    request.iterations = true;
    EXPECT_FALSE(Sampler(*file, request).is_folded());
    EXPECT_FALSE(folded.rows.empty());
    EXPECT_EQ(counted(folded), counted(statistics_of(*file, request)));
}

TEST_P(StatisticsTest, KnowsTheDurationsThatAHistogramFileKeeps) {
    SampleFile kept(GetParam(), TimingLevel::histogram);
    SampleFile exact(GetParam(), TimingLevel::exact);
    SampleRequest request;
    request.iterations = false;
    const Statistics of_times = statistics_of(*exact, request);
    u64 compared = 0;
    for (const Statistics::Row& row : statistics_of(*kept, request).rows) {
        const Moments& times =
            row_of(of_times, row.name()).figures.of(SampleScope::calls, Quantity::time);
        // Regions that hold other calls, in some places or all, have no durations of their own.
        if (row.durations.count() != times.count()) continue;
        EXPECT_EQ(row.durations.sum(), times.total()) << row.name();
        EXPECT_EQ(row.durations.min(), times.min()) << row.name();
        EXPECT_EQ(row.durations.max(), times.max()) << row.name();
        ++compared;
    }
    EXPECT_GT(compared, 2U);
}

TEST_P(StatisticsTest, PathsAddUpToFunctions) {
    SampleFile file(GetParam(), TimingLevel::exact);
    SampleRequest request;
    const Statistics functions = statistics_of(*file, request);
    request.rows.by = RowRequest::By::path;
    std::map<std::string, Moments> sums;
    for (const Statistics::Row& row : statistics_of(*file, request).rows) {
        sums[row.name()].merge(row.figures.of(SampleScope::calls, Quantity::time));
    }
    ASSERT_EQ(sums.size(), functions.rows.size());
    for (const Statistics::Row& row : functions.rows) {
        EXPECT_EQ(sums[row.name()], row.figures.of(SampleScope::calls, Quantity::time))
            << row.name();
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, StatisticsTest, ::testing::ValuesIn(kSamples));

/// What a histogram has counted is what its figures have.
void expect_same(const LogHistogram& histogram, const Moments& moments, const std::string& name) {
    EXPECT_EQ(histogram.count(), moments.count()) << name;
    EXPECT_EQ(histogram.sum(), moments.total()) << name;
    if (moments.count() == 0) return;
    EXPECT_EQ(histogram.min(), moments.min()) << name;
    EXPECT_EQ(histogram.max(), moments.max()) << name;
}

TEST_P(StatisticsTest, OneWalkTellsFiguresAndSpreads) {
    SampleFile file(GetParam(), TimingLevel::exact);
    constexpr u32 kColumns = 10;
    SerialCommunicator alone;
    const SpreadStatistics spreads = collect_spreads(alone, *file, {}, kColumns);
    const Statistics figures = statistics_of(*file, {});
    EXPECT_EQ(counted(spreads), counted(figures));
    EXPECT_EQ(spreads.iterations, figures.iterations);
    ASSERT_EQ(spreads.spreads.size(), spreads.rows.size());
    for (std::size_t row = 0; row < spreads.rows.size(); ++row) {
        const Figures& wanted = figures.rows[row].figures;
        const std::string name = spreads.rows[row].name();
        expect_same(spreads.spreads[row].calls, wanted.of(SampleScope::calls, Quantity::time),
                    name);
        EXPECT_LE(spreads.spreads[row].steps.size(), kColumns) << name;
        LogHistogram steps;
        for (const LogHistogram& step : spreads.spreads[row].steps) steps.merge(step);
        expect_same(steps, wanted.of(SampleScope::iterations, Quantity::time), name);
    }
}

TEST(StatisticsOfSamplesTest, StandsConsecutiveStepsInOneColumnWhereThereAreTooMany) {
    SampleFile file("micro-stencil2d9p-isend-4", TimingLevel::exact);
    SerialCommunicator alone;
    const SpreadStatistics spreads = collect_spreads(alone, *file, {}, 20);
    EXPECT_EQ(spreads.per_column, 3U);  // 50 steps
    for (std::size_t row = 0; row < spreads.rows.size(); ++row) {
        if (spreads.rows[row].name() != "MPI_Isend") continue;
        ASSERT_EQ(spreads.spreads[row].steps.size(), 17U);
        EXPECT_EQ(spreads.spreads[row].steps.front().count(), 4 * 3U);
        EXPECT_EQ(spreads.spreads[row].steps.back().count(), 4 * 2U);
        return;
    }
    FAIL() << "no MPI_Isend";
}

TEST(StatisticsOfSamplesTest, TellsWhatHappensInAnIteration) {
    SampleFile file("micro-stencil2d9p-isend-4", TimingLevel::exact);
    const Statistics statistics = statistics_of(*file, {});
    const Figures& sends = row_of(statistics, "MPI_Isend").figures;
    const Moments& calls = sends.of(SampleScope::iterations, Quantity::calls);
    EXPECT_EQ(calls.count(), 4 * statistics.iterations);
    EXPECT_EQ(statistics.iterations, 50U);
    EXPECT_EQ(calls.min(), 3U);
    EXPECT_EQ(calls.max(), 3U);
}

TEST(StatisticsOfSamplesTest, LooksAtTheWantedLocationsAndNamesOnly) {
    SampleFile file("npb-lu.S-4", TimingLevel::exact);
    SampleRequest request;
    request.selected = {false, true, false, false};
    request.rows.matches = [](const std::string& name) { return name == "MPI_Recv"; };
    const Statistics statistics = statistics_of(*file, request);
    ASSERT_EQ(statistics.rows.size(), 1U);
    EXPECT_EQ(statistics.locations, 1U);
    EXPECT_EQ(statistics.rows[0].figures.ranks(), 1U);
}

TEST(StatisticsOfSamplesTest, NamesLoopsByTheirFunctions) {
    SampleFile file("micro-stencil2d9p-isend-4", TimingLevel::exact);
    SampleRequest request;
    request.rows.by = RowRequest::By::loop;
    const Statistics statistics = statistics_of(*file, request);
    ASSERT_FALSE(statistics.rows.empty());
    EXPECT_NE(statistics.rows[0].name().find("MPI_Isend"), std::string::npos);
    EXPECT_EQ(statistics.rows[0].figures.ranks(), 4U);
}

u64 sum(const std::vector<u64>& counts) {
    return std::accumulate(counts.begin(), counts.end(), u64{0});
}

TEST(DistributionTest, CountsEverySampleOnce) {
    SampleFile file("npb-lu.S-4", TimingLevel::exact);
    SerialCommunicator alone;
    DistributionRequest request;
    request.samples.rows.together = "receives";
    request.samples.rows.matches = [](const std::string& name) { return name == "MPI_Recv"; };
    for (const SampleScope over :
         {SampleScope::calls, SampleScope::ranks, SampleScope::iterations}) {
        request.over = over;
        const Distribution found = collect_distribution(alone, *file, request);
        ASSERT_EQ(found.rows.size(), 1U);
        const Distribution::Row& row = found.rows[0];
        EXPECT_EQ(sum(row.counts), row.moments.count());
        EXPECT_GT(row.counts.front(), 0U);
        EXPECT_GT(row.counts.back(), 0U);
        EXPECT_EQ(found.bins.min(), row.moments.min());
        EXPECT_EQ(found.bins.max(), row.moments.max());
    }
}

TEST(DistributionTest, JoinsConsecutiveIterationsWhereThereAreTooMany) {
    SampleFile file("npb-lu.S-4", TimingLevel::exact);
    SerialCommunicator alone;
    DistributionRequest request;
    request.samples.rows.together = "all";
    request.over = SampleScope::iterations;
    request.columns = 1000;
    const Distribution wide = collect_distribution(alone, *file, request);
    request.columns = 10;
    const Distribution narrow = collect_distribution(alone, *file, request);
    EXPECT_EQ(wide.columns, wide.iterations);
    EXPECT_EQ(narrow.columns, 10U);
    EXPECT_EQ(narrow.per_column, (wide.iterations + 9) / 10);
    for (u32 column = 0; column < narrow.columns; ++column) {
        const auto [first, last] = narrow.iterations_of(column);
        for (u32 bin = 0; bin < narrow.bins.count(); ++bin) {
            u64 joined = 0;
            for (u64 i = first; i <= last; ++i) {
                joined += wide.at(wide.rows[0], static_cast<u32>(i), bin);
            }
            EXPECT_EQ(narrow.at(narrow.rows[0], column, bin), joined);
        }
    }
}

TEST(DistributionTest, RefusesTimesThatTheFileDoesNotKeep) {
    SampleFile file("npb-lu.S-4", TimingLevel::histogram);
    SerialCommunicator alone;
    DistributionRequest request;
    request.samples.rows.together = "all";
    request.samples.rows.matches = [](const std::string& name) { return name == "MPI_Recv"; };
    EXPECT_GT(collect_distribution(alone, *file, request).rows.at(0).durations.count(), 0U);
    request.over = SampleScope::ranks;
    EXPECT_THROW((void)collect_distribution(alone, *file, request), Error);
}

}  // namespace
}  // namespace tracefold
