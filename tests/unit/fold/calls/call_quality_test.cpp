// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/call_stream.hpp"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// A five-point stencil on an open square grid: Irecv and Isend per neighbour, then one Waitall.
class Stencil {
  public:
    Stencil(u32 width, u64 steps) : width_(width), steps_(steps) {}

    [[nodiscard]] u32 ranks() const { return width_ * width_; }

    [[nodiscard]] RecordBuilder records(u32 rank) const {
        const std::vector<u64> neighbours = neighbours_of(rank);
        RecordBuilder builder;
        u64 request = 0;
        for (u64 step = 0; step < steps_; ++step) {
            const u64 first = request;
            for (std::size_t i = 0; i < neighbours.size(); ++i) builder.irecv(++request);
            for (const u64 peer : neighbours) builder.isend(peer, kWorld, 3, 1024, ++request);
            builder.enter(Region::waitall);
            u64 done = first;
            for (const u64 peer : neighbours) builder.received(peer, kWorld, 3, 1024, ++done);
            for (std::size_t i = 0; i < neighbours.size(); ++i) builder.sent(++done);
            builder.leave(Region::waitall);
        }
        return builder;
    }

    [[nodiscard]] Structure structure() const {
        const SmallWorld world(ranks());
        StructureStore store;
        for (u32 rank = 0; rank < ranks(); ++rank) {
            fold_calls(encode_calls(world, {}, rank, records(rank).batch()), rank, store);
        }
        return store.finish(Stream::events, ranks());
    }

  private:
    [[nodiscard]] std::vector<u64> neighbours_of(u32 rank) const {
        std::vector<u64> all;
        if (rank >= width_) all.push_back(rank - width_);
        if (rank % width_ != 0) all.push_back(rank - 1);
        if (rank % width_ + 1 != width_) all.push_back(rank + 1);
        if (rank + width_ < ranks()) all.push_back(rank + width_);
        return all;
    }

    u32 width_;
    u64 steps_;
};

TEST(CallQualityTest, AStencilIsOneScriptForInnerAndBoundaryRanks) {
    const Structure structure = Stencil(6, 10).structure();
    EXPECT_EQ(structure.symbols.size(), 3U);
    ASSERT_EQ(structure.scripts.size(), 1U);
    const Pattern& pattern = structure.patterns[structure.scripts[0].pattern];
    EXPECT_EQ(pattern.loops, (std::vector<std::vector<u32>>{{0, 1, 2}}));
    EXPECT_EQ(pattern.root, std::vector<u32>{3});
}

TEST(CallQualityTest, AStencilDoesNotGrowWithItsSteps) {
    const Structure few = Stencil(4, 10).structure();
    const Structure many = Stencil(4, 300).structure();
    EXPECT_EQ(few.patterns, many.patterns);
    EXPECT_EQ(few.columns.size(), many.columns.size());
}

TEST(CallQualityTest, AStencilGrowsLittleWithItsRanks) {
    const Structure small = Stencil(8, 20).structure();
    const Structure large = Stencil(16, 20).structure();
    EXPECT_EQ(small.scripts, large.scripts);
    // Peers are relative, so a column stands for each of the nine kinds of place on the grid, and
    // what names the kind of a rank is folded over the rows.
    EXPECT_LE(large.columns.size(), small.columns.size() + 2);
    for (const auto& slots : large.slots) {
        for (const Assignment& slot : slots) EXPECT_LE(slot.columns.size(), 9U);
    }
}

TEST(CallQualityTest, AStencilComesBackOnEveryRank) {
    const Stencil stencil(4, 12);
    const SmallWorld world(stencil.ranks());
    const Structure structure = stencil.structure();
    for (u32 rank = 0; rank < stencil.ranks(); ++rank) {
        EXPECT_TRUE(same_records(Stream::events, stencil.records(rank).batch(),
                                 unfold_calls(world, {}, rank, structure)))
            << "rank " << rank;
    }
}

TEST(CallQualityTest, ARingInAnyCommunicatorIsEqualOnItsInnerRanks) {
    constexpr u32 kRanks = 16;
    const SmallWorld world(kRanks);
    StructureStore store;
    for (u32 rank = 0; rank < kRanks; rank += 2) {
        RecordBuilder builder;
        const u64 me = rank / 2;  // in the communicator of even ranks
        if (me != 0 && me != 7) {
            builder.call(Region::send, EventType::MpiSend, {me + 1, kEven, 0, 8});
            builder.call(Region::recv, EventType::MpiRecv, {me - 1, kEven, 0, 8});
        }
        fold_calls(encode_calls(world, {}, rank, builder.batch()), rank, store);
    }
    const Structure structure = store.finish(Stream::events, kRanks);
    EXPECT_EQ(structure.scripts.size(), 1U);
    for (const auto& slots : structure.slots) {
        for (const Assignment& slot : slots) EXPECT_EQ(slot.by_participant, kNone);
    }
}

/// Every rank of a communicator of `size` sends to and receives from a peer that follows one rule.
class PeerRule {
  public:
    using Peer = u64 (*)(u64 me, u64 size, u64 step);

    PeerRule(u64 comm, u32 first, u32 stride, Peer peer)
        : comm_(comm), first_(first), stride_(stride), peer_(peer) {}

    /// The encoding of the peers, after proof that they are one column and that all comes back.
    [[nodiscard]] PeerEncoding encoding() const {
        StructureStore store;
        for (u32 rank = first_; rank < kRanks; rank += stride_) {
            fold_calls(encode_calls(world_, {}, rank, records(rank).batch()), rank, store);
        }
        const Structure structure = store.finish(Stream::events, kRanks);
        EXPECT_EQ(structure.scripts.size(), 1U);
        PeerEncoding encoding = PeerEncoding::relative;
        for (u32 symbol = 0; symbol < structure.symbols.size(); ++symbol) {
            const auto slots = slots_of(Stream::events, structure.symbols[symbol]);
            for (std::size_t i = 0; i < slots.size(); ++i) {
                const Assignment& assignment = structure.slots[symbol][i];
                EXPECT_EQ(assignment.by_participant, kNone);
                EXPECT_EQ(assignment.columns.size(), 1U);
                if (slots[i].kind == FieldKind::peer) encoding = assignment.peers;
            }
        }
        for (u32 rank = first_; rank < kRanks; rank += stride_) {
            EXPECT_TRUE(same_records(Stream::events, records(rank).batch(),
                                     unfold_calls(world_, {}, rank, structure)));
        }
        return encoding;
    }

  private:
    static constexpr u32 kRanks = 16;

    [[nodiscard]] RecordBuilder records(u32 rank) const {
        const u64 me = (rank - first_) / stride_;
        RecordBuilder builder;
        for (u64 step = 0; step < 12; ++step) {
            const u64 peer = peer_(me, kRanks / stride_, step);
            builder.irecv(step).call(Region::send, EventType::MpiSend, {peer, comm_, 1, 8});
            builder.enter(Region::wait).received(peer, comm_, 1, 8, step).leave(Region::wait);
        }
        return builder;
    }

    u64 comm_;
    u32 first_;
    u32 stride_;
    Peer peer_;
    const SmallWorld world_{kRanks};
};

TEST(CallQualityTest, ARingThatClosesIsModulo) {
    const auto next = [](u64 me, u64 size, u64) { return (me + 1) % size; };
    EXPECT_EQ(PeerRule(kWorld, 0, 1, next).encoding(), PeerEncoding::modulo);
    EXPECT_EQ(PeerRule(kEven, 0, 2, next).encoding(), PeerEncoding::modulo);
    EXPECT_EQ(PeerRule(kOdd, 1, 2, next).encoding(), PeerEncoding::modulo);
}

TEST(CallQualityTest, AButterflyIsExclusiveOr) {
    const auto partner = [](u64 me, u64, u64 step) { return me ^ (u64{1} << (step % 3)); };
    EXPECT_EQ(PeerRule(kWorld, 0, 1, partner).encoding(), PeerEncoding::exclusive_or);
    EXPECT_EQ(PeerRule(kOdd, 1, 2, partner).encoding(), PeerEncoding::exclusive_or);
}

TEST(CallQualityTest, OneMasterIsAbsolute) {
    const auto master = [](u64, u64, u64 step) { return step % 3; };
    EXPECT_EQ(PeerRule(kWorld, 0, 1, master).encoding(), PeerEncoding::absolute);
    EXPECT_EQ(PeerRule(kEven, 0, 2, master).encoding(), PeerEncoding::absolute);
}

/// Blocking sends, as (peer, communicator).
using Sends = std::vector<std::pair<u64, u64>>;

/// Folds what some ranks of 16 send, proves that it comes back and gives the encoding of the peers.
PeerEncoding encoding_of(const std::vector<std::pair<u32, Sends>>& ranks) {
    const SmallWorld world(16);
    const auto records = [](const Sends& sends) {
        RecordBuilder builder;
        for (const auto& [peer, comm] : sends) {
            builder.call(Region::send, EventType::MpiSend, {peer, comm, 1, 8});
        }
        return builder;
    };
    StructureStore store;
    for (const auto& [rank, sends] : ranks) {
        fold_calls(encode_calls(world, {}, rank, records(sends).batch()), rank, store);
    }
    const Structure structure = store.finish(Stream::events, 16);
    for (const auto& [rank, sends] : ranks) {
        EXPECT_TRUE(same_records(Stream::events, records(sends).batch(),
                                 unfold_calls(world, {}, rank, structure)))
            << "rank " << rank;
    }
    return structure.slots[0][0].peers;
}

// 16 is no rank of 16; modulo would make it 0.
TEST(CallQualityTest, PeersOutsideTheirCommunicatorStayRelative) {
    const Sends before{{15, kWorld}, {0, kWorld}, {15, kWorld}};
    EXPECT_EQ(encoding_of({{14, before}, {15, {{0, kWorld}, {1, kWorld}, {0, kWorld}}}}),
              PeerEncoding::modulo);
    EXPECT_EQ(encoding_of({{14, before}, {15, {{0, kWorld}, {1, kWorld}, {16, kWorld}}}}),
              PeerEncoding::relative);
}

// Rank 2 is 1 among the even ranks: seen from 2, its peer 3 there would be the 4 that rank 0 has.
TEST(CallQualityTest, PeersOfSeveralCommunicatorsStayRelative) {
    EXPECT_EQ(encoding_of({{0, {{5, kWorld}, {4, kWorld}}}, {2, {{5, kWorld}, {4, kWorld}}}}),
              PeerEncoding::absolute);
    EXPECT_EQ(encoding_of({{0, {{5, kWorld}, {4, kEven}}}, {2, {{5, kWorld}, {3, kEven}}}}),
              PeerEncoding::relative);
}

// Ranks number the regions of a program in the order of their first use.
TEST(CallQualityTest, RanksWithOtherLocalIdsShareTheirSymbols) {
    const SmallWorld world(2);
    const MappingTables tables[] = {
        make_tables({{FieldKind::region, {{0, 2}, {1, 3}, {2, 1}}}}),
        make_tables({{FieldKind::region, {{0, 1}, {1, 2}, {2, 3}}}}),
    };
    const u64 ids[2][3] = {{2, 0, 1}, {0, 1, 2}};  // of solve, MPI_Send, MPI_Recv
    StructureStore store;
    for (u32 rank = 0; rank < 2; ++rank) {
        RecordBuilder builder;
        for (const u64 region : ids[rank]) {
            builder.event(EventType::Enter, {region}).event(EventType::Leave, {region});
        }
        fold_calls(encode_calls(world, tables[rank], rank, builder.batch()), rank, store);
        EXPECT_TRUE(survives(world, tables[rank], rank, builder.batch()));
    }
    const Structure structure = store.finish(Stream::events, 2);
    EXPECT_EQ(structure.symbols.size(), 3U);
    EXPECT_EQ(structure.scripts.size(), 1U);
}

}  // namespace
}  // namespace tracefold
