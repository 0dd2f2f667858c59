// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/collective_sizes.hpp"

#include "model/mpi_function.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// The operations as numbers, as records have them.
enum Operation : u64 {
#define TRACEFOLD_ENUMERATOR(name) name,
    TRACEFOLD_COLLECTIVE_KINDS(TRACEFOLD_ENUMERATOR)
#undef TRACEFOLD_ENUMERATOR
};
constexpr u64 kNoRoot = 0xFFFFFFFFU;

/// The sizes that a producer writes for c bytes per share.
CollectiveSizes recorded(u64 operation, u64 root, const RankView& view, u64 c) {
    const u64 n = view.size;
    const u64 me = view.rank;
    const u64 at_root = root == me ? n * c : 0;
    switch (operation) {
        case bcast:
        case scatter:
            return {at_root, c};
        case gather:
        case reduce:
            return {c, at_root};
        case allgather:
        case alltoall:
        case allreduce:
        case reduce_scatter_block:
            return {n * c, n * c};
        case scan:
            return {(n - me) * c, (me + 1) * c};
        case exscan:
            return {(n - me - 1) * c, me * c};
        default:
            return {0, 0};
    }
}

void expect_exact(u64 operation, u64 root, const RankView& view, const CollectiveSizes& sizes) {
    FoldedSizes folded;
    if (!fold_sizes(operation, root, view, sizes, folded)) {
        EXPECT_TRUE((sizes.sent | sizes.received) >> 63U != 0) << "small sizes must fold";
        return;
    }
    EXPECT_EQ(unfold_sizes(operation, root, view, folded), sizes)
        << "operation " << operation << " root " << root << " rank " << view.rank << " of "
        << view.size << ": " << sizes.sent << " " << sizes.received;
}

TEST(CollectiveSizesTest, FormulasLeaveTheSamePayloadOnAllRanksAndNoResidual) {
    for (u64 operation = 0; operation < kCollectiveKinds; ++operation) {
        for (const u32 size : {1U, 2U, 3U, 8U, 1000U}) {
            for (const u64 c : {u64{0}, u64{1}, u64{8}, u64{12345}}) {
                FoldedSizes first;
                const u64 root = operation == bcast || operation == scatter ||
                                         operation == gather || operation == reduce
                                     ? size / 2
                                     : kNoRoot;
                for (u32 rank = 0; rank < size; rank += 1 + size / 10) {
                    const RankView view{rank, size};
                    const CollectiveSizes sizes = recorded(operation, root, view, c);
                    FoldedSizes folded;
                    ASSERT_TRUE(fold_sizes(operation, root, view, sizes, folded));
                    EXPECT_EQ(folded.residual, 0U) << "operation " << operation;
                    if (rank == 0) first = folded;
                    // An exclusive scan over one rank says nothing about its payload.
                    if (operation == exscan && size == 1) continue;
                    EXPECT_EQ(folded.payload, first.payload) << "operation " << operation;
                    expect_exact(operation, root, view, sizes);
                }
            }
        }
    }
}

TEST(CollectiveSizesTest, TellsTheBytesOfTheOwnContribution) {
    const RankView view{2, 4};
    for (const u64 operation : {bcast, gather, scatter, allgather, alltoall, allreduce, reduce,
                                scan, exscan, reduce_scatter_block}) {
        FoldedSizes folded;
        ASSERT_TRUE(fold_sizes(operation, 2, view, recorded(operation, 2, view, 24), folded));
        EXPECT_EQ(payload_bytes(operation, folded), 24U) << "operation " << operation;
    }
}

TEST(CollectiveSizesTest, TellsTheBytesPerPeer) {
    const RankView root{0, 4};
    const RankView other{2, 4};
    for (const u64 operation : {bcast, scatter, gather, reduce, allgather, alltoall, allreduce}) {
        for (const RankView& view : {root, other}) {
            const CollectiveSizes sizes = recorded(operation, 0, view, 24);
            EXPECT_EQ(peer_sizes(operation, 0, view, sizes).bytes, 24U) << operation;
        }
    }
    EXPECT_EQ(peer_sizes(allreduce, kNoRoot, other, {97, 97}).bytes, std::nullopt);
    EXPECT_EQ(peer_sizes(alltoallv, kNoRoot, other, {96, 96}).bytes, std::nullopt);
    EXPECT_EQ(peer_sizes(allreduce, kNoRoot, RankView{}, {96, 96}).bytes, std::nullopt);
}

TEST(CollectiveSizesTest, TellsTheBytesInPlaceWhereSizesPermitThem) {
    const RankView view{2, 4};
    for (const u64 operation : {allgather, alltoall, allreduce, reduce_scatter_block}) {
        const PeerSizes either = peer_sizes(operation, kNoRoot, view, {24, 24});
        EXPECT_EQ(either.bytes, 6U) << operation;
        EXPECT_EQ(either.in_place, 8U) << operation;
        const PeerSizes certain = peer_sizes(operation, kNoRoot, view, {6, 6});
        EXPECT_EQ(certain.bytes, std::nullopt) << operation;
        EXPECT_EQ(certain.in_place, 2U) << operation;
        EXPECT_EQ(peer_sizes(operation, kNoRoot, view, {32, 32}).in_place, std::nullopt);
        EXPECT_EQ(peer_sizes(operation, kNoRoot, view, {24, 12}).in_place, std::nullopt);
    }
    EXPECT_EQ(peer_sizes(bcast, 0, view, {24, 24}).in_place, std::nullopt);
}

TEST(CollectiveSizesTest, ArbitrarySizesComeBack) {
    std::mt19937_64 random(7);
    const std::vector<u64> shifts{0, 1, 10, 32, 40, 56, 63};
    for (int i = 0; i < 200'000; ++i) {
        const u32 size = static_cast<u32>(random() % 9);
        const u32 rank = size == 0 ? 0 : static_cast<u32>(random() % size);
        const std::vector<u64> roots{rank, random() % 9, kNoRoot, kNoRoot - 1, kNoRoot - 2};
        const CollectiveSizes sizes{random() >> shifts[random() % shifts.size()],
                                    random() >> shifts[random() % shifts.size()]};
        expect_exact(random() % (kCollectiveKinds + 3), roots[random() % roots.size()],
                     {rank, size}, sizes);
    }
}

TEST(CollectiveSizesTest, SizesFrom2To63AreNotExpressedAsShares) {
    FoldedSizes folded;
    const u64 huge = u64{1} << 63U;
    EXPECT_FALSE(fold_sizes(allreduce, kNoRoot, {0, 4}, {huge, huge}, folded));
    EXPECT_FALSE(fold_sizes(reduce_scatter, kNoRoot, {0, 4}, {1, ~u64{0}}, folded));
    EXPECT_TRUE(fold_sizes(alltoallv, kNoRoot, {0, 4}, {huge, huge}, folded));
    EXPECT_TRUE(fold_sizes(bcast, 0, {0, 4}, {huge, huge}, folded));
    EXPECT_TRUE(fold_sizes(allreduce, kNoRoot, {0, 4}, {huge - 1, huge}, folded));
}

}  // namespace
}  // namespace tracefold
