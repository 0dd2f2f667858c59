// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/cube_profile.hpp"

#include "base/error.hpp"
#include "questions/profile/cube_table.hpp"
#include "support/test_directory.hpp"

#include <string>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Kind = CubeProfile::Kind;
using PlaceKind = CubeProfile::Place::Kind;

/// main calls f twice, with different parameters; two processes of one thread.
CubeProfile made(const std::string& root = "main") {
    CubeProfile profile;
    profile.regions = {{.name = root, .paradigm = "user"}, {.name = "f<int>", .file = "f.cpp"}};
    profile.nodes = {{.region = 0},
                     {.region = 1, .parent = 0, .parameters = {{"n", "1", true}}},
                     {.region = 1, .parent = 0, .parameters = {{"n", "2", true}}}};
    profile.places = {{PlaceKind::node, kNone, "machine", "machine"},
                      {PlaceKind::group, 0, "MPI Rank 0", "process", 0},
                      {PlaceKind::location, 1, "Master thread", "thread", 0, 0},
                      {PlaceKind::group, 0, "MPI Rank 1", "process", 1},
                      {PlaceKind::location, 3, "Master thread", "thread", 0, 1}};
    CubeProfile::Metric visits{
        .name = "visits", .title = "Visits", .type = "UINT64", .unit = "occ"};
    visits.rows = {{0, {1, 1}}, {1, {3, 4}}, {2, {5, 0}}};
    CubeProfile::Metric time{
        .name = "time", .title = "Time", .unit = "sec", .kind = Kind::inclusive};
    time.rows = {{0, {10, 20}}, {2, {2, 4}}};
    CubeProfile::Metric most{.name = "max_time", .title = "Longest", .type = "MAXDOUBLE"};
    most.rows = {{0, {1, 2}}, {1, {7, 0.5}}};
    CubeProfile::Metric sizes{.name = "size", .title = "Sizes", .type = "TAU_ATOMIC", .parent = 0};
    sizes.rows = {{1, {2, 4, 1, 5, 3, 9, 8, 20, 34, 120}}};
    profile.metrics = {visits, time, most, sizes};
    return profile;
}

const MetricFigures& figures_of(const TraceProfile& table, std::size_t column, u32 node,
                                std::size_t side) {
    return table.columns[column].nodes.at(node)[side].figures;
}

TEST(CubeProfileTest, IsReadAsItWasWritten) {
    const TestDirectory folder;
    const std::string path = folder / "p.cubex";
    const CubeProfile profile = made();
    write_cubex(profile, path, false);
    EXPECT_THROW(write_cubex(profile, path, false), Error);
    const CubeProfile read = read_cubex(path);
    EXPECT_EQ(read.regions, profile.regions);
    ASSERT_EQ(read.nodes.size(), 3U);
    EXPECT_EQ(read.nodes[2].parent, 0U);
    EXPECT_EQ(read.node_name(2), "f<int> (n=2)");
    ASSERT_EQ(read.metrics.size(), profile.metrics.size());
    for (const CubeProfile::Metric& metric : profile.metrics) {
        const u32 number = read.find_metric(metric.name);
        ASSERT_NE(number, kNone) << metric.name;
        EXPECT_EQ(read.metrics[number].kind, metric.kind);
        EXPECT_EQ(read.metrics[number].parent, metric.parent);
        EXPECT_EQ(read.metrics[number].rows, metric.rows) << metric.name;
    }
    ASSERT_EQ(read.places.size(), 5U);
    EXPECT_EQ(read.places[4].rank, 0);
    EXPECT_EQ(read.places[4].location, 1U);
}

TEST(CubeProfileTest, AddsUpByTheTypeOfItsValues) {
    const TraceProfile table = cube_table(made(), {.by = ProfileGroups::rank});
    EXPECT_EQ(table.groups, (std::vector<std::string>{"0", "1"}));
    EXPECT_EQ(figures_of(table, 0, 0, 0).sum, 14);  // visits with the calls below
    EXPECT_EQ(figures_of(table, 0, 0, 1).sum, 2);
    EXPECT_EQ(figures_of(table, 0, 1, 0).max, 4);
    EXPECT_EQ(figures_of(table, 0, 1, 0).mean, 3.5);
    EXPECT_EQ(figures_of(table, 1, 0, 0).sum, 30);  // time is stored with them
    EXPECT_EQ(figures_of(table, 1, 0, 1).sum, 24);
    EXPECT_EQ(figures_of(table, 2, 0, 0).sum, 7);
    EXPECT_EQ(figures_of(table, 2, 0, 1).sum, 2);
    EXPECT_EQ(figures_of(table, 3, 0, 0).sum, 28.0 / 6);  // a mean over both processes
    EXPECT_EQ(table.columns[0].nodes.at(1)[0].groups, (std::vector<double>{3, 4}));
}

TEST(CubeProfileTest, SelectsProcesses) {
    const TraceProfile table = cube_table(made(), {.selects = [](u64 rank) { return rank == 1; }});
    EXPECT_EQ(table.profile.locations, 1U);
    EXPECT_EQ(figures_of(table, 0, 0, 0).sum, 5);
    EXPECT_FALSE(table.columns[0].nodes.contains(2));
}

TEST(CubeProfileTest, LeavesOutWhatItCannotShow) {
    CubeProfile profile = made();
    profile.metrics[0].unsupported = true;
    profile.metrics[1].kind = Kind::derived;
    EXPECT_EQ(remove_unsupported(profile).size(), 2U);
    ASSERT_EQ(profile.metrics.size(), 2U);
    EXPECT_EQ(profile.metrics[1].parent, kNone);
}

TEST(CubeAlgebraTest, MatchesCallPathsAndRootsByPosition) {
    CubeProfile other = made("main.v2");
    other.regions[1].begin = 7;  // f moved
    other.regions.push_back({.name = "g"});
    other.nodes.push_back({.region = 2, .parent = 0});
    other.metrics[0].rows[3] = {1, 1};
    const CubeProfile merged = combine({made(), other}, CubeOperation::merge);
    ASSERT_EQ(merged.nodes.size(), 4U);
    EXPECT_EQ(merged.node_name(0), "main");
    EXPECT_EQ(merged.node_name(3), "g");
    EXPECT_EQ(merged.locations().size(), 2U);
}

TEST(CubeAlgebraTest, NumbersCallPathsDepthFirst) {
    CubeProfile other = made();
    other.regions.push_back({.name = "g"});
    other.nodes.push_back({.region = 2, .parent = 1});
    other.metrics[0].rows[3] = {8, 9};
    const CubeProfile merged = combine({made(), other}, CubeOperation::merge);
    ASSERT_EQ(merged.node_name(2), "g");
    EXPECT_EQ(merged.metrics[0].rows.at(2), (std::vector<double>{8, 9}));
    EXPECT_EQ(merged.metrics[0].rows.at(3), (std::vector<double>{5, 0}));
}

TEST(CubeAlgebraTest, ComputesWithValues) {
    CubeProfile other = made();
    other.metrics[0].rows = {{0, {1, 1}}, {1, {4, 4}}};
    other.metrics[2].rows = {{0, {3, 1}}};
    const auto row = [&](CubeOperation operation, u32 metric, u32 node) {
        return combine({made(), other}, operation).metrics[metric].rows.at(node);
    };
    using Row = std::vector<double>;
    EXPECT_EQ(row(CubeOperation::diff, 0, 1), (Row{-1, 0}));
    EXPECT_EQ(row(CubeOperation::diff, 0, 2), (Row{5, 0}));
    EXPECT_EQ(row(CubeOperation::mean, 0, 1), (Row{3.5, 4}));
    EXPECT_EQ(row(CubeOperation::merge, 0, 1), (Row{4, 4}));
    EXPECT_EQ(row(CubeOperation::merge, 0, 2), (Row{5, 0}));
    EXPECT_EQ(row(CubeOperation::max, 0, 1), (Row{4, 4}));
    EXPECT_EQ(row(CubeOperation::mean, 2, 0), (Row{3, 2}));
    EXPECT_EQ(combine({made(), other}, CubeOperation::diff).metrics[0].type, "INT64");
    EXPECT_EQ(combine({made(), other}, CubeOperation::mean).metrics[0].type, "DOUBLE");
    other.metrics[0].kind = Kind::inclusive;
    EXPECT_THROW(combine({made(), other}, CubeOperation::max), Error);
}

}  // namespace
}  // namespace tracefold
