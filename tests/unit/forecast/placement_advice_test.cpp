// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/placement_advice.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Edge = TrafficGraph::Edge;

/// Neighbours of a grid exchange so many bytes in each dimension; its ends are apart.
std::vector<Edge> grid_edges(const std::array<u32, 3>& extents, const std::array<u64, 3>& bytes) {
    std::vector<Edge> edges;
    const u32 count = extents[0] * extents[1] * extents[2];
    u32 stride = 1;
    for (std::size_t i = 0; i < 3; ++i) {
        for (u32 vertex = 0; vertex < count; ++vertex) {
            if (vertex / stride % extents[i] + 1 < extents[i])
                edges.push_back({vertex, vertex + stride, bytes[i]});
        }
        stride *= extents[i];
    }
    return edges;
}

std::vector<u32> filled(std::span<const u32> sizes) {
    std::vector<u32> part_of;
    for (u32 part = 0; part < sizes.size(); ++part)
        part_of.insert(part_of.end(), sizes[part], part);
    return part_of;
}

void expect_sizes(std::span<const u32> part_of, std::span<const u32> sizes) {
    std::vector<u32> found(sizes.size());
    for (const u32 part : part_of) ++found[part];
    EXPECT_TRUE(std::ranges::equal(found, sizes));
}

/// Bytes between cubes of 4 x 4 x 4 in a cube of 16 x 16 x 16: three planes of 256 in each of three
/// dimensions.
constexpr u64 kCubes = u64{3} * 3 * 256;

TEST(PlacementAdviceTest, PartsOfAGridAreBlocks) {
    const TrafficGraph graph(4096, grid_edges({16, 16, 16}, {1, 1, 1}));
    const std::vector<u32> sizes(64, 64);
    std::vector<u32> part_of = filled(sizes);
    improve_parts(graph, sizes, part_of);
    EXPECT_EQ(graph.cut(part_of), kCubes);
    expect_sizes(part_of, sizes);
}

/// Where one dimension exchanges more, blocks are longer in it.
TEST(PlacementAdviceTest, BlocksFollowTheBytes) {
    const TrafficGraph graph(512, grid_edges({8, 8, 8}, {1000, 10, 1}));
    const std::vector<u32> sizes(64, 8);
    std::vector<u32> part_of = filled(sizes);
    improve_parts(graph, sizes, part_of);
    for (u32 vertex = 0; vertex < 512; ++vertex)
        EXPECT_EQ(part_of[vertex], part_of[vertex / 8 * 8]) << vertex;
}

/// Without the numbering of the grid, parts grow along the traffic.
TEST(PlacementAdviceTest, PartsOfAnyNumberingAreCompact) {
    std::vector<Edge> edges = grid_edges({16, 16, 16}, {1, 1, 1});
    std::vector<u32> name(4096);
    std::iota(name.begin(), name.end(), 0U);
    std::ranges::shuffle(name, std::mt19937(3));
    for (Edge& edge : edges) edge = {name[edge.from], name[edge.to], edge.bytes};
    const TrafficGraph graph(4096, edges);
    const std::vector<u32> sizes(64, 64);
    std::vector<u32> part_of = filled(sizes);
    improve_parts(graph, sizes, part_of);
    EXPECT_LT(graph.cut(part_of), kCubes * 4 / 3);
    expect_sizes(part_of, sizes);
}

TEST(PlacementAdviceTest, PartsNeverGetWorse) {
    std::mt19937 random(11);
    for (int trial = 0; trial < 200; ++trial) {
        std::vector<u32> sizes(1 + random() % 6);
        for (u32& size : sizes) size = static_cast<u32>(1 + random() % 9);
        const u32 count = std::accumulate(sizes.begin(), sizes.end(), 0U);
        std::vector<Edge> edges(random() % (4 * count));
        for (Edge& edge : edges)
            edge = {static_cast<u32>(random() % count), static_cast<u32>(random() % count),
                    random() % 100};
        const TrafficGraph graph(count, edges);
        std::vector<u32> part_of = filled(sizes);
        std::ranges::shuffle(part_of, random);
        const u64 before = graph.cut(part_of);
        improve_parts(graph, sizes, part_of);
        EXPECT_LE(graph.cut(part_of), before);
        expect_sizes(part_of, sizes);
        // Bytes between parts, edge by edge.
        u64 bytes = 0;
        for (const Edge& edge : edges) {
            if (part_of[edge.from] != part_of[edge.to]) bytes += edge.bytes;
        }
        EXPECT_EQ(graph.cut(part_of), bytes);
        const TrafficGraph parts = graph.contracted(part_of, static_cast<u32>(sizes.size()));
        EXPECT_EQ(parts.cut(filled(std::vector<u32>(sizes.size(), 1))), bytes);
    }
}

/// All partitions of few vertices: found within a tenth of the best, on average.
TEST(PlacementAdviceTest, SmallPartsAreNearlyTheBest) {
    std::mt19937 random(5);
    const std::vector<u32> sizes = {3, 3, 3};
    u64 found = 0;
    u64 best = 0;
    for (int trial = 0; trial < 60; ++trial) {
        std::vector<Edge> edges(16);
        for (Edge& edge : edges)
            edge = {static_cast<u32>(random() % 9), static_cast<u32>(random() % 9), random() % 100};
        const TrafficGraph graph(9, edges);
        std::vector<u32> part_of = filled(sizes);
        u64 least = ~u64{0};
        do {
            least = std::min(least, graph.cut(part_of));
        } while (std::ranges::next_permutation(part_of).found);
        improve_parts(graph, sizes, part_of);
        best += least;
        found += graph.cut(part_of);
    }
    EXPECT_LE(found, best + best / 10);
}

}  // namespace
}  // namespace tracefold
