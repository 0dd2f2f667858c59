// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/graph/build_graph.hpp"
#include "questions/graph/recover.hpp"
#include "support/sample_file.hpp"

#include <optional>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// The graph of all locations of a sample.
struct SampleGraph {
    explicit SampleGraph(const std::string& name, TimingLevel timing = TimingLevel::none,
                         SignatureParts parts = {})
        : file(name, timing), source(*file), signatures(source, parts) {
        const std::vector<bool> all(file->location_count(), true);
        classes = flow_classes(source, signatures, all);
        graph = build_graph(*file, source, signatures, classes);
    }

    void add_times(u32 threads) {
        std::vector<u32> locations;
        for (const ParticipantList& members : classes) {
            const std::vector<u32> some = members.members();
            locations.insert(locations.end(), some.begin(), some.end());
        }
        add_exact_times(graph, *file, signatures, locations, threads);
    }

    SampleFile file;
    ListingSource source;
    SignatureSource signatures;
    std::vector<ParticipantList> classes;
    FlowGraph graph;
};

class TraceGraphTest : public ::testing::TestWithParam<const char*> {};

TEST_P(TraceGraphTest, EverySequenceIsThatOfTheTrace) {
    SignatureParts everything;
    everything.tag = true;
    everything.regions = true;
    SignatureParts few{false, false, false, false, false, false, false};
    SignatureParts contexts;
    contexts.context = true;
    for (const SignatureParts& parts : {SignatureParts{}, everything, few, contexts}) {
        SampleGraph sample(GetParam(), TimingLevel::none, parts);
        u64 participants = 0;
        for (const ParticipantList& members : sample.classes) {
            for (const u32 location : members.members()) {
                EXPECT_EQ(
                    first_difference(sample.graph, sample.source, sample.signatures, location),
                    std::nullopt)
                    << "location " << location;
                ++participants;
            }
        }
        EXPECT_GT(participants, 0U);
    }
}

TEST_P(TraceGraphTest, TimesOfTheModelComeCloseToTheExactOnes) {
    SampleGraph model(GetParam(), TimingLevel::histogram);
    SampleGraph exact(GetParam(), TimingLevel::exact);
    exact.add_times(1);
    ASSERT_EQ(num_vertices(model.graph), num_vertices(exact.graph));
    double of_model = 0;
    double of_trace = 0;
    for (FlowVertex v = 2; v < num_vertices(model.graph); ++v) {
        EXPECT_EQ(model.graph[v].time.count, exact.graph[v].time.count) << v;
        EXPECT_LE(exact.graph[v].time.maximum, model.graph[v].time.maximum) << v;
        of_model += model.graph[v].time.total;
        of_trace += exact.graph[v].time.total;
    }
    EXPECT_NEAR(of_model, of_trace, 0.02 * of_trace);
}

TEST_P(TraceGraphTest, ExactTimesAreTheSameForAnyNumberOfThreads) {
    SampleGraph one(GetParam(), TimingLevel::exact);
    one.add_times(1);
    for (const u32 threads : {2U, 3U}) {
        SampleGraph several(GetParam(), TimingLevel::exact);
        several.add_times(threads);
        for (FlowVertex v = 0; v < num_vertices(one.graph); ++v) {
            EXPECT_EQ(several.graph[v].time, one.graph[v].time) << "node " << v;
        }
        for (const FlowEdgeId edge : boost::make_iterator_range(edges(one.graph))) {
            const FlowVertex from = source(edge, one.graph);
            const FlowVertex to = target(edge, one.graph);
            const FlowEdgeId same = boost::edge(from, to, several.graph).first;
            EXPECT_EQ(several.graph[same].time, one.graph[edge].time) << from << " to " << to;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, TraceGraphTest,
                         ::testing::Values("micro-anysrc-4", "micro-mpiio-4", "micro-omphyb-4",
                                           "micro-pcoll-4", "micro-rma-4",
                                           "micro-stencil2d9p-isend-4", "micro-user-4",
                                           "npb-lu.S-4", "tau-colls-4"),
                         [](const auto& sample) {
                             std::string name = sample.param;
                             std::erase_if(name, [](char c) { return c == '-' || c == '.'; });
                             return name;
                         });

TEST(TraceGraphsTest, RanksOfAStencilShareNodes) {
    SampleGraph sample("micro-stencil2d9p-isend-4");
    EXPECT_EQ(sample.classes.size(), 4U) << "four corners";
    u64 shared = 0;
    for (FlowVertex v = 2; v < num_vertices(sample.graph); ++v) {
        shared += sample.graph[v].participants.size() == 4 ? 1 : 0;
    }
    EXPECT_GT(shared, 5U);
}

TEST(TraceGraphsTest, RegionsArePathsOrEvents) {
    SignatureParts parts;
    parts.regions = true;
    SampleGraph with("micro-user-4", TimingLevel::none, parts);
    SampleGraph without("micro-user-4");
    EXPECT_GT(statistics_of(with.graph).events, statistics_of(without.graph).events);
    EXPECT_GT(without.graph[boost::graph_bundle].paths.size(), 2U);
}

}  // namespace
}  // namespace tracefold
