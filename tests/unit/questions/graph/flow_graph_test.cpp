// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "support/letter_flow.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

EdgeSequence tuple(u64 first, u64 last, u64 stride, u64 count) {
    return {{{first, last, stride, count}, 1, 0, {}}};
}

// The text of the paper (Aguilar, Fuerlinger, Laure: MPI trace compression using event flow graphs,
// Euro-Par 2014) was not at hand: these are not its figures, but programs of the kind that it
// speaks of, made up from the definition: at a branch node every edge has the visits of the node at
// which it is taken, as tuples <first, last, stride, count>.

TEST(FlowGraphTest, OneLoopHasABranchAtItsEnd) {
    // I, then ten times S R B, then F.
    LetterFlow flow("I" + times("SRB", 10) + "F");
    EXPECT_EQ(num_vertices(flow.graph()), 2U + 5U);
    EXPECT_EQ(num_edges(flow.graph()), 7U);
    EXPECT_EQ(flow.edge("I", "S").count, 1U);
    EXPECT_EQ(flow.edge("S", "R").count, 10U);
    EXPECT_TRUE(flow.edge("S", "R").uses[0].sequence.empty()) << "there is no other way";
    EXPECT_EQ(flow.edge("B", "S").count, 9U);
    EXPECT_EQ(flow.edge("B", "S").uses[0].sequence, tuple(1, 1, 0, 9));
    EXPECT_EQ(flow.edge("B", "F").uses[0].sequence, tuple(10, 10, 0, 1));
    EXPECT_EQ(flow.recovered(), flow.sequence());
}

TEST(FlowGraphTest, NestedLoopsGiveTuplesWithStrides) {
    // Twenty times: five times S R, then B; every node but R is left one way only.
    LetterFlow flow("I" + times(times("SR", 5) + "B", 20) + "F");
    EXPECT_EQ(flow.edge("R", "S").count, 80U);
    EXPECT_EQ(flow.edge("R", "S").uses[0].sequence, tuple(1, 96, 5, 4));
    EXPECT_EQ(flow.edge("R", "B").uses[0].sequence, tuple(5, 100, 5, 1));
    EXPECT_EQ(flow.edge("B", "S").uses[0].sequence, tuple(1, 1, 0, 19));
    EXPECT_EQ(flow.edge("B", "F").uses[0].sequence, tuple(20, 20, 0, 1));
    EXPECT_EQ(flow.recovered(), flow.sequence());
    const FlowStatistics figures = statistics_of(flow.graph());
    EXPECT_EQ(figures.events, 222U);
    EXPECT_EQ(figures.nodes, 5U);
    EXPECT_EQ(figures.edges, 6U) << "without those from the start and to the end";
    EXPECT_EQ(figures.branches, 2U);
    EXPECT_EQ(figures.cardinality, 2U);
}

TEST(FlowGraphTest, ARunOfOneCallIsAnEdgeToItself) {
    LetterFlow flow(times("aaab", 50));
    EXPECT_EQ(flow.edge("a", "a").uses[0].sequence, tuple(1, 148, 3, 2));
    EXPECT_EQ(flow.edge("a", "b").uses[0].sequence, tuple(3, 150, 3, 1));
    EXPECT_EQ(flow.recovered(), flow.sequence());
}

TEST(FlowGraphTest, ArgumentsThatTakeTurnsAreNodesOfTheirOwn) {
    std::vector<u64> arguments;
    for (int i = 0; i < 400; ++i) arguments.push_back(i % 2 == 0 ? 64 : 128);
    LetterFlow flow(times("s", 400), arguments);
    EXPECT_EQ(num_vertices(flow.graph()), 4U);
    EXPECT_EQ(flow.recovered(), flow.sequence());
}

TEST(FlowGraphTest, LongerRunsCostNoMoreSteps) {
    const auto steps = [](int count) {
        std::vector<u64> arguments;
        for (int i = 0; i < count; ++i) {
            for (const u64 value : {1U, 2U, 3U, 3U, 9U}) arguments.push_back(value + i % 3);
        }
        const LetterFlow flow(times("aaabc", count), arguments);
        EXPECT_EQ(statistics_of(flow.graph()).events, 5U * static_cast<u64>(count));
        return flow.steps();
    };
    // Multiples of the period end in the same way.
    EXPECT_EQ(steps(30'000), steps(300));
}

TEST(FlowGraphTest, UnevenTripCountsComeBack) {
    std::string text;
    for (int i = 1; i < 60; ++i) text += times("ab", i % 7 + i / 20) + "c";
    LetterFlow flow(text);
    EXPECT_EQ(flow.recovered(), flow.sequence());
}

TEST(FlowGraphTest, ABrokenGraphIsNoticed) {
    const LetterFlow flow(times("ab", 10) + "c");
    FlowGraph graph = flow.graph();
    graph[boost::edge(flow.vertex("b"), flow.vertex("c"), graph).first].uses[0].sequence =
        tuple(12, 12, 0, 1);
    try {
        recover(graph, 0, [](FlowVertex) {});
        ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::internal);
    }
}

}  // namespace
}  // namespace tracefold
