// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/graph/flow_view.hpp"

#include "support/letter_flow.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// The names of what a node stands for: "a+a,b" for two calls in one part and one in another.
std::string parts_text(const FlowView& view, FlowVertex v) {
    std::string text;
    for (const ViewPart& part : view.parts[v]) {
        text += text.empty() ? "" : ",";
        for (const FlowVertex node : part.nodes) {
            text += (node == part.nodes.front() ? "" : "+") + (*view.whole)[node].signature.name;
        }
    }
    return text;
}

std::vector<std::string> nodes_of(const FlowView& view) {
    std::vector<std::string> all;
    for (FlowVertex v = 2; v < num_vertices(view.graph); ++v) all.push_back(parts_text(view, v));
    return all;
}

/// Arguments of a text whose letters have those of a pattern again and again.
std::vector<u64> again(const std::vector<u64>& arguments, int count) {
    std::vector<u64> all;
    for (int i = 0; i < count; ++i) all.insert(all.end(), arguments.begin(), arguments.end());
    return all;
}

u64 all_visits(const FlowGraph& graph) {
    u64 visits = 0;
    for (FlowVertex v = 2; v < num_vertices(graph); ++v) visits += graph[v].visits;
    return visits;
}

using Names = std::vector<std::string>;

TEST(FlowViewTest, TheWholeStandsForItself) {
    const LetterFlow flow("i" + times("ab", 7) + "f");
    const FlowView view = whole_view(flow.graph());
    EXPECT_EQ(nodes_of(view), (Names{"i", "a", "b", "f"}));
    EXPECT_EQ(view.loops.size(), 1U);
    EXPECT_EQ(view.loop_of()[flow.vertex("a")], 0U);
    EXPECT_EQ(view.loop_of()[flow.vertex("i")], kNone);
}

TEST(FlowViewTest, CallsThatFollowEachOtherAreJoined) {
    const LetterFlow flow(times("aab", 10), again({8, 4096, 0}, 10));
    const FlowView view = join_calls(whole_view(flow.graph()));
    EXPECT_EQ(nodes_of(view), (Names{"a+a", "b"}));
    EXPECT_EQ(view.graph[2].signature.name, "a");
    EXPECT_TRUE(view.graph[2].signature.arguments.empty());
    EXPECT_EQ(view.graph[2].visits, 20U);
    EXPECT_FALSE(boost::edge(2, 2, view.graph).second) << "that is no edge any more";
    EXPECT_EQ(num_edges(view.graph), 4U);
    EXPECT_EQ(view.loops.front().nodes, (std::vector<FlowVertex>{2, 3}));
}

TEST(FlowViewTest, CallsOfSimilarSizeAreJoined) {
    const LetterFlow similar(times("axay", 10), again({100, 0, 200, 0}, 10));
    EXPECT_EQ(nodes_of(join_calls(whole_view(similar.graph()))), (Names{"a+a", "x", "y"}));
    const LetterFlow other(times("axay", 10), again({100, 0, 201, 0}, 10));
    EXPECT_EQ(nodes_of(join_calls(whole_view(other.graph()))), (Names{"a", "x", "a", "y"}));
}

TEST(FlowViewTest, CallsOfDifferentLoopsAreNot) {
    std::vector<u64> arguments{100, 100, 100};
    for (const u64 argument : again({110, 0}, 20)) arguments.push_back(argument);
    const LetterFlow flow("aaa" + times("ab", 20), arguments);
    const FlowView view = join_calls(whole_view(flow.graph()));
    EXPECT_EQ(nodes_of(view), (Names{"a", "a", "b"}));
    EXPECT_FALSE(boost::edge(2, 2, view.graph).second) << "visits tell that it follows itself";
}

TEST(FlowViewTest, ChainsAreJoinedAndStillLoops) {
    const LetterFlow flow("ij" + times("abc", 10) + "fg");
    const FlowView view = join_chains(whole_view(flow.graph()));
    EXPECT_EQ(nodes_of(view), (Names{"i,j", "a,b,c", "f,g"}));
    EXPECT_EQ(num_edges(view.graph), 5U);
    const auto [back, exists] = boost::edge(3, 3, view.graph);
    ASSERT_TRUE(exists);
    EXPECT_EQ(view.graph[back].count, 9U);
    ASSERT_EQ(view.loops.size(), 1U);
    EXPECT_EQ(view.loops.front().nodes, (std::vector<FlowVertex>{3}));
    EXPECT_TRUE(view.is_box(view.loops.front()));
    EXPECT_EQ(all_visits(view.graph), 34U);
}

TEST(FlowViewTest, ChainsEndWhereLoopsBegin) {
    const LetterFlow flow("i" + times("x" + times("ab", 7) + "y", 10) + "f");
    EXPECT_EQ(nodes_of(join_chains(whole_view(flow.graph()))), (Names{"i", "x", "a,b", "y", "f"}));
}

TEST(FlowViewTest, BothMakeAStencilOneNode) {
    const LetterFlow flow("i" + times("rrssw", 30) + "f", [] {
        std::vector<u64> arguments = again({8, 512, 8, 512, 0}, 30);
        arguments.insert(arguments.begin(), 0);
        arguments.push_back(0);
        return arguments;
    }());
    const FlowView view = join_chains(join_calls(whole_view(flow.graph())));
    EXPECT_EQ(nodes_of(view), (Names{"i", "r+r,s+s,w", "f"}));
    EXPECT_EQ(view.size_of(3), 5U);
}

TEST(FlowViewTest, CollapsedLoopsAreOneNode) {
    const LetterFlow flow("i" + times("x" + times("ab", 7) + "y", 10) + "f");
    const FlowView inner = collapse_loops(whole_view(flow.graph()), 1);
    EXPECT_EQ(nodes_of(inner), (Names{"i", "x", "a+b", "y", "f"}));
    EXPECT_EQ(inner.parts[4].front().kind, ViewPart::Kind::loop);
    EXPECT_EQ(num_edges(inner.graph), num_edges(flow.graph()) - 2) << "a to b and back";
    const FlowView outer = collapse_loops(whole_view(flow.graph()), 0);
    EXPECT_EQ(nodes_of(outer), (Names{"i", "x+a+b+y", "f"}));
    EXPECT_EQ(outer.graph[3].signature.name, "4 nodes");
    EXPECT_EQ(outer.graph[3].visits, 160U);
}

TEST(FlowViewTest, TheTopNodesStay) {
    const LetterFlow flow("i" + times("abc", 10) + times("d", 30) + "ef");
    const FlowView top = keep_top(whole_view(flow.graph()), 1);
    EXPECT_EQ(nodes_of(top), (Names{"i+a+b+c", "d", "e+f"}));
    EXPECT_EQ(top.parts[2].front().kind, ViewPart::Kind::others);
    EXPECT_EQ(top.graph[3].visits, 30U);
    EXPECT_EQ(all_visits(top.graph), 63U) << "nothing is lost";
}

}  // namespace
}  // namespace tracefold
