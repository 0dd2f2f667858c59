// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/graph/detail/flow_loops.hpp"
#include "questions/graph/flow_view.hpp"
#include "questions/graph/graph_diff.hpp"
#include "questions/graph/write_graph.hpp"
#include "support/letter_flow.hpp"

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

GraphTexts plain_texts(const FlowGraph& graph) {
    return {"title", [&graph](FlowVertex v) { return graph[v].signature.name; },
            [&graph](FlowEdgeId id) { return std::to_string(graph[id].count); },
            [](const FlowLoop& loop) { return "loop " + std::to_string(loop.nodes.size()); }};
}

TEST(FlowLoopsTest, NestsAreFoundWithTheirIterations) {
    const LetterFlow flow("i" + times("x" + times("ab", 7) + "y", 10) + "f");
    const std::vector<FlowLoop> loops = find_loops(flow.graph());
    ASSERT_EQ(loops.size(), 2U);
    EXPECT_EQ(loops[0].parent, kNone);
    EXPECT_EQ(loops[0].nodes.size(), 4U);
    EXPECT_EQ(loops[0].entries, 1U);
    EXPECT_EQ(loops[0].iterations, 10);
    EXPECT_EQ(loops[1].parent, 0U);
    EXPECT_EQ(loops[1].depth, 1U);
    EXPECT_EQ(loops[1].nodes, (std::vector<FlowVertex>{flow.vertex("a"), flow.vertex("b")}));
    EXPECT_EQ(loops[1].entries, 10U);
    EXPECT_EQ(loops[1].iterations, 7);
    EXPECT_EQ(std::count(loops[0].nodes.begin(), loops[0].nodes.end(), flow.vertex("i")), 0);
    EXPECT_EQ(std::count(loops[0].nodes.begin(), loops[0].nodes.end(), flow.vertex("x")), 1);
}

TEST(FlowLoopsTest, ACallBeforeAndAfterAPhaseMakesNoLoop) {
    const LetterFlow flow("b" + times("xy", 20) + "bf");
    const std::vector<FlowLoop> loops = find_loops(flow.graph());
    ASSERT_EQ(loops.size(), 1U);
    EXPECT_EQ(loops[0].nodes.size(), 2U);
    EXPECT_EQ(loops[0].iterations, 20);
}

TEST(FlowLoopsTest, ACallThatFollowsItselfIsALoop) {
    const LetterFlow flow("i" + times("a", 50) + "f");
    const std::vector<FlowLoop> loops = find_loops(flow.graph());
    ASSERT_EQ(loops.size(), 1U);
    EXPECT_EQ(loops[0].nodes.size(), 1U);
    EXPECT_EQ(loops[0].iterations, 50);
}

TEST(FlowLoopsTest, StraightProgramsHaveNone) {
    EXPECT_TRUE(find_loops(LetterFlow("abcdef").graph()).empty());
}

TEST(WriteDotTest, LoopsAreBoxesAndLabelsAreQuoted) {
    const LetterFlow flow("i" + times("ab", 9) + "f");
    GraphTexts texts = plain_texts(flow.graph());
    texts.title = "a \"quoted\" title";
    std::ostringstream out;
    write_dot(whole_view(flow.graph()), texts, DotClusters::loops, out);
    const std::string dot = out.str();
    EXPECT_NE(dot.find("subgraph cluster_loop0"), std::string::npos);
    EXPECT_NE(dot.find("label=\"loop 2\\l\""), std::string::npos);
    EXPECT_NE(dot.find("a \\\"quoted\\\" title"), std::string::npos);
    std::ostringstream plain;
    write_dot(whole_view(flow.graph()), texts, DotClusters::none, plain);
    EXPECT_EQ(plain.str().find("subgraph"), std::string::npos);
}

TEST(WriteDotTest, ChainsHaveLinesAndRareEdgesStandBack) {
    const LetterFlow flow("i" + times("ab", 500) + "cb");
    const FlowView view = join_chains(whole_view(flow.graph()));
    GraphTexts texts = plain_texts(view.graph);
    texts.node = [](FlowVertex) { return std::string("one\ntwo"); };
    std::ostringstream out;
    write_dot(view, texts, DotClusters::loops, out);
    const std::string dot = out.str();
    EXPECT_NE(dot.find("label=\"one\\ntwo\""), std::string::npos) << dot;
    EXPECT_NE(dot.find("label=\"500\""), std::string::npos) << dot;
    EXPECT_EQ(dot.find("label=\"1\""), std::string::npos) << "taken once of 500 times\n" << dot;
    std::ostringstream chain;
    const LetterFlow straight("abc");
    write_dot(join_chains(whole_view(straight.graph())), texts, DotClusters::none, chain);
    EXPECT_NE(chain.str().find("label=\"one\\ltwo\\l\""), std::string::npos) << chain.str();
}

/// Nodes 3 and 4 are a loop, after the start, the end and what comes before.
TEST(WriteDotTest, LabelsAreNodesInTheMiddleOfTheirEdges) {
    const LetterFlow flow("i" + times("ab", 9) + "f");
    const FlowView view = whole_view(flow.graph());
    std::ostringstream out;
    write_dot(view, plain_texts(view.graph), DotClusters::loops, out);
    const std::string dot = out.str();
    const auto has = [&dot](const std::string& text) {
        return dot.find(text) != std::string::npos;
    };
    EXPECT_LT(dot.find("subgraph cluster_loop0"), dot.find("edge_3_4[label=\"9\"")) << dot;
    EXPECT_TRUE(has("\n3->edge_3_4 ["));
    EXPECT_TRUE(has("\nedge_3_4->4 ["));
    // Drawn in the direction of the program, whichever way it leads.
    EXPECT_TRUE(has("edge_4_3[label=\"8\""));
    EXPECT_TRUE(has("\nedge_4_3->4 ["));
    const std::size_t back = dot.find("\n3->edge_4_3 [");
    ASSERT_NE(back, std::string::npos) << dot;
    EXPECT_LT(dot.find("dir=back", back), dot.find(';', back));
    EXPECT_TRUE(has("title_loop0->3 [style=invis]"));
}

TEST(WriteGraphmlTest, SequencesStandOnTheEdges) {
    const LetterFlow flow("i" + times("aab", 9) + "f");
    std::ostringstream out;
    write_graphml(flow.graph(), plain_texts(flow.graph()), 1e-9, out);
    EXPECT_NE(out.str().find("&lt;1,17,2,1&gt;"), std::string::npos) << out.str();
    EXPECT_EQ(sequence_text(repeat({{{1, 3, 2, 1}, 1, 0, {}}}, 4, 10)), "4 x +10 (<1,3,2,1>)");
}

class GraphDiffTest : public ::testing::Test {
  protected:
    static FlowDiff diff(const std::string& a, const std::string& b) {
        const LetterFlow first(a);
        const LetterFlow second(b);
        const auto side = [](const FlowGraph& graph) {
            return ComparedGraph{graph, [&graph](FlowVertex v) { return graph[v].signature.name; },
                                 1, 1};
        };
        return diff_graphs(side(first.graph()), side(second.graph()), 0.1);
    }
};

TEST_F(GraphDiffTest, EqualGraphsHaveNone) {
    EXPECT_TRUE(diff(times("ab", 5) + "c", times("ab", 5) + "c").empty());
}

TEST_F(GraphDiffTest, CountsAndMissingNodes) {
    const FlowDiff found = diff(times("ab", 5) + "c", times("ab", 6) + "d");
    ASSERT_EQ(found.nodes.size(), 4U);
    EXPECT_EQ(found.nodes[0].from, "a");
    EXPECT_EQ(found.nodes[0].a.count, 5);
    EXPECT_EQ(found.nodes[0].b.count, 6);
    EXPECT_FALSE(found.nodes[2].b.exists);
    EXPECT_FALSE(found.nodes[3].a.exists);
}

TEST_F(GraphDiffTest, TheSameTransitionsInAnotherOrder) {
    const FlowDiff found = diff("abababacacac", "acacacababab");
    EXPECT_TRUE(found.nodes.empty());
    bool order = false;
    for (const FlowDifference& edge : found.edges) order = order || edge.order;
    EXPECT_TRUE(order);
}

}  // namespace
}  // namespace tracefold
