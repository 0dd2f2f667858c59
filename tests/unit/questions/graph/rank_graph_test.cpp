// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/graph/recover.hpp"
#include "support/letter_flow.hpp"

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// Figures 1 to 4 of Aguilar, Fuerlinger, Laure: MPI trace compression using event flow graphs
/// (Euro-Par 2014), with a letter for each call.
class RankGraphTest : public ::testing::Test {
  protected:
    static std::string label(const RankEdge& edge) {
        if (!edge.tuple) return std::to_string(edge.count);
        const RunTuple& t = *edge.tuple;
        const std::string count = std::to_string(t.count);
        if (t.stride == 0) return std::to_string(t.first) + "," + count;
        return "<" + std::to_string(t.first) + "," + std::to_string(t.last) + "," +
               std::to_string(t.stride) + "," + count + ">";
    }

    /// "AB 5": from A to B; by the labels of the figures.
    std::vector<std::string> edges(const std::string& text) {
        const LetterFlow flow(text);
        const FlowGraph& all = flow.graph();
        graph_ = rank_graph(all, 0);
        std::vector<std::string> lines;
        for (const RankEdge& edge : graph_.edges) {
            lines.push_back(all[edge.from].signature.name + all[edge.to].signature.name + " " +
                            label(edge));
        }
        return lines;
    }

    /// An edge for every position, as before the compression.
    [[nodiscard]] std::vector<std::string> uncompressed(const std::string& text) const {
        const LetterFlow flow(text);
        std::vector<std::string> lines;
        for (const RankEdge& edge : graph_.edges) {
            const u64 positions = edge.tuple ? edge.tuple->positions() : 1;
            for (u64 i = 0; i < positions; ++i) {
                RankEdge one = edge;
                if (edge.tuple) one.tuple->first += i * edge.tuple->stride;
                if (edge.tuple) one.tuple->stride = 0;
                lines.push_back(flow.graph()[edge.from].signature.name +
                                flow.graph()[edge.to].signature.name + " " + label(one));
            }
        }
        return lines;
    }

    /// The paper's formula.
    [[nodiscard]] u64 events_by_edges() const {
        u64 sum = 1;
        for (const RankEdge& edge : graph_.edges) {
            const u64 times = edge.tuple ? edge.tuple->count * edge.tuple->positions() : edge.count;
            EXPECT_EQ(edge.count, times);
            sum += times;
        }
        return sum;
    }

    [[nodiscard]] std::map<FlowVertex, u64> cardinalities() const {
        std::map<FlowVertex, u64> result;
        for (const RankEdge& edge : graph_.edges) result[edge.to] += edge.count;
        return result;
    }

    using Lines = std::vector<std::string>;
    RankGraph graph_;
};

TEST_F(RankGraphTest, Figure1IsOneLoop) {
    // Init, Size, rank (K), ten times Send and Reduce, Finalize: the paper's graph has no tuples,
    // as its figure 1 comes before them; counts are its labels.
    const Lines found = edges("IZK" + times("SR", 10) + "F");
    EXPECT_EQ(found, (Lines{"IZ 1", "ZK 1", "KS 1", "SR 10", "RS 1,9", "RF 2,1"}));
    EXPECT_EQ(graph_.nodes.size(), 6U);
    EXPECT_EQ(graph_.events, 24U);
    EXPECT_EQ(events_by_edges(), 24U);
    const auto cardinality = cardinalities();
    EXPECT_EQ(cardinality.size(), 5U) << "the initial node has none";
    EXPECT_EQ(cardinality.at(graph_.nodes[3]), 10U);
    EXPECT_EQ(cardinality.at(graph_.nodes[4]), 10U);
}

TEST_F(RankGraphTest, Figure2BranchesWithinALoop) {
    const Lines found = edges(times("BCR", 5) + times("BGR", 5));
    EXPECT_EQ(found, (Lines{"BC 1,5", "BG 2,5", "CR 5", "RB 9", "GR 5"}));
    EXPECT_EQ(graph_.nodes.size(), 4U);
    EXPECT_EQ(events_by_edges(), 30U);
}

TEST_F(RankGraphTest, Figure3IsAMultigraph) {
    // Comm_rank, Barrier, Send, Barrier, Recv, Barrier, Send, Finalize. The figure comes before the
    // compression of figure 4, which makes one tuple of its edges BS 1,1 and BS 3,1.
    const Lines found = edges("KBSBRBSF");
    EXPECT_EQ(found, (Lines{"KB 1", "BS <1,3,2,1>", "BR 2,1", "SB 1,1", "SF 2,1", "RB 1"}));
    EXPECT_EQ(graph_.nodes.size(), 5U);
    EXPECT_EQ(uncompressed("KBSBRBSF"),
              (Lines{"KB 1", "BS 1,1", "BS 3,1", "BR 2,1", "SB 1,1", "SF 2,1", "RB 1"}));
    EXPECT_EQ(events_by_edges(), 8U);
}

TEST_F(RankGraphTest, ExitsWithoutProgressionAreParallelEdges) {
    const Lines found = edges("BSBRBSBRBRBSF");
    EXPECT_EQ(Lines(found.begin(), found.begin() + 3), (Lines{"BS <1,5,2,1>", "BR 2,1", "BR 4,2"}));
    EXPECT_EQ(events_by_edges(), 13U);
}

TEST_F(RankGraphTest, Figure4CompressesExits) {
    const std::string text = times(times("BR", 10) + times("BS", 10), 3);
    const Lines found = edges(text);
    EXPECT_EQ(found, (Lines{"BR <1,5,2,10>", "BS <2,6,2,10>", "RB 30", "SB 29"}));
    const Lines apart = uncompressed(text);
    EXPECT_EQ(Lines(apart.begin(), apart.begin() + 6),
              (Lines{"BR 1,10", "BR 3,10", "BR 5,10", "BS 2,10", "BS 4,10", "BS 6,10"}));
    EXPECT_EQ(events_by_edges(), 120U);
}

TEST_F(RankGraphTest, NestedLoopsGiveOneTupleAnEdge) {
    const Lines found = edges("I" + times(times("SR", 5) + "B", 20) + "F");
    const Lines wanted{"IS 1", "SR 100", "RS <1,39,2,4>", "RB <2,40,2,1>", "BS 1,19", "BF 2,1"};
    EXPECT_EQ(found, wanted);
}

TEST_F(RankGraphTest, PositionsAreCompressedWhileStrideAndCountStay) {
    std::vector<RunTuple> tuples;
    for (const u64 position : {1, 3, 5}) append(tuples, position, 10);
    append(tuples, 7, 9);
    append(tuples, 9, 9);
    append(tuples, 10, 9);
    const std::vector<RunTuple> wanted{{1, 5, 2, 10}, {7, 9, 2, 9}, {10, 10, 0, 9}};
    EXPECT_EQ(tuples, wanted);
}

}  // namespace
}  // namespace tracefold
