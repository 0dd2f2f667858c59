// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/stats/statistics_table.hpp"

#include <sstream>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// A table as comma separated values.
template <class Result>
std::string lines_of(void (*put)(const Result&, TableSink&), const Result& result) {
    std::ostringstream out;
    CsvTable table(out);
    put(result, table);
    return out.str();
}

Moments moments_of(std::initializer_list<u64> values) {
    Moments moments;
    for (const u64 value : values) moments.add(value);
    return moments;
}

/// Ticks of a quarter of a second.
constexpr u64 kRate = 4;

TEST(StatisticsTableTest, EveryScopeAndQuantityWithSamplesHasARow) {
    Statistics statistics;
    statistics.rate = TickRate(kRate);
    Statistics::Row send;
    send.path = {"main", "MPI_Send"};
    send.mpi = true;
    send.figures.of(SampleScope::calls, Quantity::time) = moments_of({2, 6});
    send.figures.of(SampleScope::calls, Quantity::sent) = moments_of({100, 300});
    send.figures.of(SampleScope::ranks, Quantity::calls) = moments_of({2});
    Statistics::Row solve;
    solve.path = {"solve"};
    solve.figures.of(SampleScope::iterations, Quantity::time) = moments_of({4, 4, 4});
    statistics.rows = {send, solve};
    EXPECT_EQ(lines_of(put_statistics, statistics),
              "name,kind,over,metric,count,sum,mean,deviation,min,max\n"
              "main / MPI_Send,mpi,calls,time,2,2,1,0.5,0.5,1.5\n"
              "main / MPI_Send,mpi,calls,sent,2,400,200,100,100,300\n"
              "main / MPI_Send,mpi,ranks,calls,1,2,2,0,2,2\n"
              "solve,user,iterations,time,3,3,1,0,1,1\n");
}

TEST(StatisticsTableTest, ANumberThatOverflowedIsNotKnown) {
    Statistics statistics;
    Statistics::Row row;
    row.path = {"MPI_Send"};
    row.mpi = true;
    row.figures.of(SampleScope::ranks, Quantity::sent) = moments_of({7, kOverflow});
    statistics.rows = {row};
    EXPECT_EQ(lines_of(put_statistics, statistics),
              "name,kind,over,metric,count,sum,mean,deviation,min,max\n"
              "MPI_Send,mpi,ranks,sent,2,,,,7,\n");
}

TEST(StatisticsTableTest, HistogramsOfTheFileHaveNoDeviation) {
    Statistics statistics;
    statistics.rate = TickRate(kRate);
    Statistics::Row row;
    row.path = {"work"};
    for (const u64 ticks : {2, 4, 6}) row.durations.add(ticks);
    statistics.rows = {row};
    EXPECT_EQ(lines_of(put_statistics, statistics),
              "name,kind,over,metric,count,sum,mean,deviation,min,max\n"
              "work,user,calls,time,3,3,1,,0.5,1.5\n");
}

TEST(DistributionTableTest, EveryBinHasARow) {
    Distribution distribution;
    distribution.quantity = Quantity::sent;
    distribution.bins = LinearBins(0, 9, 2);
    distribution.rows = {{{"MPI_Send"}, {}, {3, 1}, {}}};
    EXPECT_EQ(lines_of(put_distribution, distribution),
              "name,first_iteration,last_iteration,from,to,samples\n"
              "MPI_Send,,,0,4,3\n"
              "MPI_Send,,,5,9,1\n");
}

TEST(DistributionTableTest, OverIterationsEveryColumnHasItsBins) {
    Distribution distribution;
    distribution.quantity = Quantity::time;
    distribution.rate = TickRate(kRate);
    distribution.bins = LinearBins(4, 11, 2);
    distribution.columns = 2;
    distribution.per_column = 3;
    distribution.iterations = 5;
    distribution.rows = {{{"a", "b"}, {}, {1, 2, 3, 4}, {}}};
    // The second column has iterations 3 and 4 only.
    EXPECT_EQ(lines_of(put_distribution, distribution),
              "name,first_iteration,last_iteration,from,to,samples\n"
              "a / b,0,2,1,1.75,1\n"
              "a / b,0,2,2,2.75,2\n"
              "a / b,3,4,1,1.75,3\n"
              "a / b,3,4,2,2.75,4\n");
}

TEST(DistributionTableTest, LogarithmicBinsWithoutSamplesAreLeftOut) {
    Distribution distribution;
    distribution.quantity = Quantity::time;
    distribution.rate = TickRate(kRate);
    Distribution::Row row;
    row.path = {"work"};
    // 20 and 21 are in a bin of two: eight steps from 16 to 32.
    for (const u64 ticks : {3, 20, 21}) row.durations.add(ticks);
    distribution.rows = {row};
    EXPECT_EQ(lines_of(put_distribution, distribution),
              "name,first_iteration,last_iteration,from,to,samples\n"
              "work,,,0.75,0.75,1\n"
              "work,,,5,5.25,2\n");
}

/// Two classes, the second of which makes no calls.
ClassFigures two_classes() {
    ClassFigures figures;
    figures.classes.classes = {ParticipantList({0, 1}), ParticipantList({2})};
    figures.classes.locations = 3;
    figures.participants = {"ranks 0-1", "rank 2"};
    figures.statistics.rate = TickRate(kRate);
    Statistics::Row row;
    row.path = {"class 0"};
    row.figures.of(SampleScope::ranks, Quantity::calls) = moments_of({5, 7});
    row.figures.of(SampleScope::ranks, Quantity::sent) = moments_of({80, 20});
    row.figures.of(SampleScope::ranks, Quantity::time) = moments_of({8, 24});
    figures.statistics.rows = {row};
    return figures;
}

TEST(ClassTableTest, EveryClassHasARow) {
    EXPECT_EQ(lines_of(put_classes, two_classes()),
              "class,locations,who,calls,sent,received,time,mean,deviation,min,max\n"
              "0,2,ranks 0-1,12,100,,8,4,2,2,6\n"
              "1,1,rank 2,,,,,,,,\n");
}

TEST(ClassTableTest, WithIterationsEveryColumnHasARow) {
    ClassFigures figures = two_classes();
    figures.classes.iterations = 7;
    figures.classes.per_column = 4;
    figures.classes.columns = {{3, 2, 2, 0, 0}, {3, 1, 3, 1, 3}};
    EXPECT_EQ(lines_of(put_classes, figures),
              "first_iteration,last_iteration,locations,classes,largest,changed,moved\n"
              "0,3,3,2,2,0,0\n"
              "4,6,3,1,3,1,3\n");
}

TEST(ClassTableTest, ADistributionTakesThePlaceOfTheClasses) {
    ClassFigures figures = two_classes();
    Distribution& distribution = figures.distribution.emplace();
    distribution.bins = LinearBins(5, 7, 1);
    distribution.rows = {{{"class 0"}, {}, {2}, {}}};
    EXPECT_EQ(figures.distribution_of(0), distribution.rows.data());
    EXPECT_EQ(figures.distribution_of(1), nullptr);
    EXPECT_EQ(lines_of(put_classes, figures),
              "name,first_iteration,last_iteration,from,to,samples\n"
              "class 0,,,5,7,2\n");
}

}  // namespace
}  // namespace tracefold
