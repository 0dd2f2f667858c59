// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/proxy/proxy_model.hpp"
#include "fold/column_cursor.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

constexpr u32 kRanks = 8;

/// What the ranks of a communicator do with a peer.
template <class Peer>
ProxyPlace place_of(StructurePool& pool, const Peer& peer) {
    PlaceVariants variants;
    for (u32 rank = 0; rank < kRanks; ++rank) {
        PlaceColumns columns("ptl");
        columns.push_count(1);
        const u64 numbers[] = {peer(rank), 7, 2, rank, 5};
        const PeerView view{rank, kRanks, true};
        columns.push_arguments({ProxyFunction::Send, numbers, {&view, 1}});
        variants.add(rank, columns.finish(pool));
    }
    ProxyPlace place;
    variants.finish("ptl", pool, place);
    return place;
}

TEST(PlaceColumnsTest, TakesTheEncodingOfPeersThatMakesRanksAlike) {
    StructurePool pool;
    const auto torus = place_of(pool, [](u32 rank) { return (rank + 1) % kRanks; });
    EXPECT_EQ(torus.arguments[0].peers, PeerEncoding::modulo);
    EXPECT_EQ(pool.columns()[torus.arguments[0].columns.at(0)].start, 1U);
    const auto butterfly = place_of(pool, [](u32 rank) { return rank ^ 1U; });
    EXPECT_EQ(butterfly.arguments[0].peers, PeerEncoding::exclusive_or);
    const auto server = place_of(pool, [](u32) { return 3U; });
    EXPECT_EQ(server.arguments[0].peers, PeerEncoding::absolute);
    const auto nobody = place_of(pool, [](u32) { return kProxyNobody; });
    EXPECT_EQ(pool.columns()[nobody.arguments[0].columns.at(0)].start, kProxyNobody);
}

TEST(PlaceColumnsTest, GivesConstantsOfEachRankAsOneColumnOverTheRanks) {
    StructurePool pool;
    const auto table = place_of(pool, [](u32 rank) { return (rank * rank + 1) % kRanks; });
    const Assignment& peers = table.arguments[0];
    EXPECT_TRUE(peers.columns.empty());
    const auto values = unwind({pool.patterns(), pool.columns()}, peers.by_participant, kRanks);
    for (u32 rank = 0; rank < kRanks; ++rank) {
        EXPECT_EQ(relative_peer(values[rank], peers.peers, rank, kRanks) + rank,
                  (rank * rank + 1) % kRanks);
    }
}

TEST(PlaceColumnsTest, RanksThatNeverComeToAPlaceAreLikeTheOneBefore) {
    StructurePool pool;
    PlaceVariants variants;
    for (u32 rank = 0; rank < kRanks; ++rank) {
        PlaceColumns columns("t");
        columns.push_count(rank % 2);
        const u64 tag = 9;
        if (rank % 2 != 0) columns.push_arguments({ProxyFunction::Start, {&tag, 1}, {}});
        variants.add(rank, columns.finish(pool));
    }
    ProxyPlace place;
    variants.finish("t", pool, place);
    EXPECT_EQ(pool.columns()[place.arguments[0].columns.at(0)].start, 9U);
    EXPECT_EQ(unwind({pool.patterns(), pool.columns()}, place.count.by_participant, 4),
              (std::vector<u64>{0, 1, 0, 1}));
}

TEST(PlaceColumnsTest, KeepsListsAsLengthsAndValues) {
    StructurePool pool;
    const auto place = place_of(pool, [](u32) { return 0U; });
    ASSERT_EQ(place.arguments.size(), 4U);
    EXPECT_EQ(pool.columns()[place.arguments[2].columns.at(0)].start, 2U);
    const Assignment& values = place.arguments[3];
    ASSERT_EQ(values.columns.size(), kRanks);
    EXPECT_EQ(unwind({pool.patterns(), pool.columns()}, values.columns[6], 2),
              (std::vector<u64>{6, 5}));
}

}  // namespace
}  // namespace tracefold
