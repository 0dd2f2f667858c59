// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/collective_arguments.hpp"

#include "base/error.hpp"

#include <numeric>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

constexpr u32 kNoRoot = 0xFFFFFFFFU;

CollectivePart part(CollectiveKind kind, u64 sent, u64 received, u32 root = kNoRoot) {
    return {1, kind, root, sent, received};
}

CollectiveScope group(u32 rank, u32 size) { return {rank, size, size, false}; }

void expect_uniform(const CollectivePart& record, const CollectiveScope& scope, u64 bytes,
                    bool in_place = false) {
    const UniformArguments arguments = uniform_arguments(record, scope);
    EXPECT_EQ(arguments.send, bytes);
    EXPECT_EQ(arguments.receive, bytes);
    EXPECT_EQ(arguments.in_place, in_place);
}

VectorArguments vector_of(const CollectivePart& record, const CollectiveScope& scope,
                          const std::vector<Contribution>& group) {
    VectorArguments arguments;
    vector_arguments(record, scope, group, group, arguments);
    return arguments;
}

TEST(UniformArgumentsTest, UndoTheSumsOfRootedCollectives) {
    expect_uniform(part(CollectiveKind::bcast, 40, 10, 2), group(2, 4), 10);
    expect_uniform(part(CollectiveKind::bcast, 0, 10, 2), group(0, 4), 10);
    expect_uniform(part(CollectiveKind::gather, 10, 40, 1), group(1, 4), 10);
    expect_uniform(part(CollectiveKind::gather, 10, 0, 1), group(0, 4), 10);
    expect_uniform(part(CollectiveKind::scatter, 40, 10, 1), group(1, 4), 10);
    expect_uniform(part(CollectiveKind::reduce, 10, 40, 1), group(1, 4), 10);
}

TEST(UniformArgumentsTest, SeeWhatTheRootKeptInPlace) {
    expect_uniform(part(CollectiveKind::gather, 0, 30, 1), group(1, 4), 10, true);
    expect_uniform(part(CollectiveKind::scatter, 30, 0, 1), group(1, 4), 10, true);
    expect_uniform(part(CollectiveKind::reduce, 0, 30, 1), group(1, 4), 10, true);
    expect_uniform(part(CollectiveKind::reduce, 0, 0, 0), group(0, 1), 0);
}

TEST(UniformArgumentsTest, ShareWhatGoesToAll) {
    for (const auto kind : {CollectiveKind::allgather, CollectiveKind::alltoall,
                            CollectiveKind::allreduce, CollectiveKind::reduce_scatter_block}) {
        expect_uniform(part(kind, 40, 40), group(3, 4), 10);
        expect_uniform(part(kind, 30, 30), group(3, 4), 10, true);
        // 12 bytes for each of 4, or 16 in place: the former is taken.
        expect_uniform(part(kind, 48, 48), group(3, 4), 12);
        expect_uniform(part(kind, 0, 0), group(0, 1), 0);
    }
}

TEST(UniformArgumentsTest, UndoPrefixSums) {
    for (u32 rank = 0; rank < 4; ++rank) {
        expect_uniform(part(CollectiveKind::scan, (4 - rank) * 8, (rank + 1) * 8), group(rank, 4),
                       8);
        expect_uniform(part(CollectiveKind::scan, (3 - rank) * 8, rank * 8), group(rank, 4), 8,
                       true);
        expect_uniform(part(CollectiveKind::exscan, (3 - rank) * 8, rank * 8), group(rank, 4), 8);
    }
    expect_uniform(part(CollectiveKind::exscan, 0, 0), group(0, 1), 0);
}

TEST(UniformArgumentsTest, KnowTheSidesOfAnIntercommunicator) {
    const CollectiveScope two_with_three{0, 2, 3, true};
    expect_uniform(part(CollectiveKind::bcast, 30, 0, kRootSelf), two_with_three, 10);
    expect_uniform(part(CollectiveKind::bcast, 0, 0, kRootThisGroup), two_with_three, 0);
    expect_uniform(part(CollectiveKind::bcast, 0, 10, 1), two_with_three, 10);
    expect_uniform(part(CollectiveKind::gather, 0, 30, kRootSelf), two_with_three, 10);
    expect_uniform(part(CollectiveKind::allreduce, 30, 30), two_with_three, 10);
}

TEST(VectorArgumentsTest, TheRootNeedsTheSizesOfAll) {
    const std::vector<Contribution> gathered = {{1, 0}, {2, 10}, {3, 0}, {4, 0}};
    EXPECT_EQ(vector_of(part(CollectiveKind::gatherv, 2, 10, 1), group(1, 4), gathered).receive,
              (std::vector<u64>{1, 2, 3, 4}));
    const VectorArguments other =
        vector_of(part(CollectiveKind::gatherv, 3, 0, 1), group(2, 4), gathered);
    EXPECT_TRUE(other.receive.empty());
    EXPECT_EQ(other.own, 3U);

    const std::vector<Contribution> scattered = {{10, 1}, {0, 2}, {0, 3}, {0, 4}};
    const VectorArguments root =
        vector_of(part(CollectiveKind::scatterv, 10, 1, 0), group(0, 4), scattered);
    EXPECT_EQ(root.send, (std::vector<u64>{1, 2, 3, 4}));
    EXPECT_EQ(root.own, 1U);
}

TEST(VectorArgumentsTest, SharesOfAllgathervAndReduceScatter) {
    const std::vector<Contribution> plain = {{3, 6}, {6, 6}, {9, 6}};
    const auto gather = part(CollectiveKind::allgatherv, 6, 6);
    EXPECT_EQ(vector_of(gather, group(1, 3), plain).receive, (std::vector<u64>{1, 2, 3}));
    EXPECT_EQ(vector_of(gather, group(1, 3), plain).own, 2U);
    EXPECT_FALSE(vector_of(gather, group(1, 3), plain).in_place);

    const std::vector<Contribution> in_place = {{2, 5}, {4, 4}, {6, 3}};
    const VectorArguments arguments = vector_of(gather, group(1, 3), in_place);
    EXPECT_EQ(arguments.receive, (std::vector<u64>{1, 2, 3}));
    EXPECT_TRUE(arguments.in_place);

    const std::vector<Contribution> reduced = {{6, 3}, {6, 6}, {6, 9}};
    EXPECT_EQ(vector_of(part(CollectiveKind::reduce_scatter, 6, 6), group(1, 3), reduced).receive,
              (std::vector<u64>{1, 2, 3}));
}

TEST(VectorArgumentsTest, ContradictionsAreErrors) {
    EXPECT_THROW(vector_of(part(CollectiveKind::allgatherv, 3, 5), group(0, 2), {{3, 5}, {4, 6}}),
                 Error);
    EXPECT_THROW(vector_of(part(CollectiveKind::alltoallv, 3, 5), group(0, 2), {{3, 5}, {4, 6}}),
                 Error);
}

/// Whatever the sums are: what i sends to j is what j gets from i, and the sums are those recorded.
void expect_consistent(const std::vector<Contribution>& sizes) {
    const auto count = static_cast<u32>(sizes.size());
    std::vector<VectorArguments> all;
    for (u32 i = 0; i < count; ++i) {
        const auto record = part(CollectiveKind::alltoallv, sizes[i].sent, sizes[i].received);
        all.push_back(vector_of(record, group(i, count), sizes));
        EXPECT_EQ(std::accumulate(all[i].send.begin(), all[i].send.end(), u64{0}), sizes[i].sent);
        EXPECT_EQ(std::accumulate(all[i].receive.begin(), all[i].receive.end(), u64{0}),
                  sizes[i].received);
    }
    for (u32 i = 0; i < count; ++i) {
        for (u32 j = 0; j < count; ++j) EXPECT_EQ(all[i].send[j], all[j].receive[i]);
    }
}

TEST(VectorArgumentsTest, AllToAllKeepsTheSums) {
    expect_consistent({{30, 30}, {30, 30}, {30, 30}});
    expect_consistent({{0, 60}, {60, 0}});
    expect_consistent({{100, 7}, {3, 50}, {0, 40}, {1, 7}});
    expect_consistent({{5, 5}});
    expect_consistent({{0, 0}, {0, 0}});
}

TEST(VectorArgumentsTest, AllToAllSpreadsEvenly) {
    const std::vector<Contribution> sizes = {{30, 30}, {30, 30}, {30, 30}};
    const auto record = part(CollectiveKind::alltoallw, 30, 30);
    EXPECT_EQ(vector_of(record, group(1, 3), sizes).send, (std::vector<u64>{10, 10, 10}));
}

}  // namespace
}  // namespace tracefold
