// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mpi_function.hpp"
#include "support/call_stream.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

constexpr u64 kNone32 = 0xFFFFFFFFU;
constexpr u64 kSelfRoot = 0xFFFFFFFEU;   // MPI_ROOT
constexpr u64 kThisGroup = 0xFFFFFFFDU;  // MPI_PROC_NULL
constexpr auto kBcast = static_cast<u64>(CollectiveKind::bcast);
constexpr auto kAllreduce = static_cast<u64>(CollectiveKind::allreduce);

RecordBuilder& collective(RecordBuilder& builder, Region region, const std::vector<u64>& end) {
    builder.enter(region).event(EventType::MpiCollectiveBegin, {});
    return builder.event(EventType::MpiCollectiveEnd, end).leave(region);
}

class CollectiveCallsTest : public ::testing::Test {
  protected:
    const SmallWorld world_{6};
};

TEST_F(CollectiveCallsTest, AllOperationsInAllRolesComeBack) {
    const std::vector<u64> sizes{0, 1, 6, 48, 50, u64{1} << 62U, u64{1} << 63U, ~u64{0}};
    for (const u32 rank : {0U, 1U, 5U}) {
        RecordBuilder builder;
        u64 request = 1;
        for (u64 operation = 0; operation <= kCollectiveKinds; ++operation) {
            for (const u64 comm : {kWorld, kSelf, kEven, kReversed, kInter, kUnknown}) {
                for (const u64 root : {u64{0}, u64{3}, kNone32, kSelfRoot, kThisGroup}) {
                    const u64 sent = sizes[(operation + comm + root) % sizes.size()];
                    const u64 received = sizes[(operation + 3 * root) % sizes.size()];
                    collective(builder, Region::bcast, {operation, comm, root, sent, received});
                    builder.call(Region::ibcast, EventType::NonBlockingCollectiveRequest,
                                 {request});
                    builder.call(Region::wait, EventType::NonBlockingCollectiveComplete,
                                 {operation, comm, root, sent, received, request++});
                }
            }
        }
        EXPECT_TRUE(survives(world_, {}, rank, builder.batch())) << "rank " << rank;
    }
}

TEST_F(CollectiveCallsTest, BcastColumnsAreEqualOnRootAndElsewhere) {
    StructureStore store;
    for (u32 rank = 0; rank < 6; ++rank) {
        RecordBuilder builder;
        for (u64 i = 0; i < 50; ++i) {
            const u64 bytes = 8 * (1 + i % 3);
            const u64 sent = rank == 2 ? 6 * bytes : 0;
            collective(builder, Region::bcast, {kBcast, kWorld, 2, sent, bytes});
        }
        fold_calls(encode_calls(world_, {}, rank, builder.batch()), rank, store);
    }
    const Structure structure = store.finish(Stream::events, 6);
    ASSERT_EQ(structure.scripts.size(), 1U);
    ASSERT_EQ(structure.symbols.size(), 1U);
    for (const Assignment& slot : structure.slots[0]) {
        EXPECT_EQ(slot.by_participant, kNone);
        EXPECT_EQ(slot.columns.size(), 1U);
    }
}

TEST_F(CollectiveCallsTest, ScansAreEqualOnAllRanks) {
    constexpr u64 kScan = 14;
    constexpr u64 kExscan = 15;
    StructureStore store;
    for (u64 rank = 0; rank < 6; ++rank) {
        RecordBuilder builder;
        for (u64 i = 0; i < 5; ++i) {
            const u64 c = 8;
            collective(builder, Region::allreduce,
                       {kScan, kWorld, kNone32, (6 - rank) * c, (rank + 1) * c});
            collective(builder, Region::allreduce,
                       {kExscan, kWorld, kNone32, (6 - rank - 1) * c, rank * c});
        }
        const u32 location = static_cast<u32>(rank);
        fold_calls(encode_calls(world_, {}, location, builder.batch()), location, store);
    }
    const Structure structure = store.finish(Stream::events, 6);
    for (const auto& slots : structure.slots) {
        for (const Assignment& slot : slots) EXPECT_EQ(slot.by_participant, kNone);
    }
}

TEST_F(CollectiveCallsTest, HugeSizesAreCountedAsInexpressible) {
    RecordBuilder builder;
    collective(builder, Region::allreduce, {kAllreduce, kWorld, kNone32, ~u64{0}, 8});
    builder.call(Region::ibcast, EventType::NonBlockingCollectiveRequest, {1});
    const std::vector<u64> end{kAllreduce, kWorld, kNone32, ~u64{0}, 8, 1};
    builder.enter(Region::wait).event(EventType::NonBlockingCollectiveComplete, end);
    builder.leave(Region::wait);
    const EncodedCalls encoded = encode_calls(world_, {}, 0, builder.batch());
    EXPECT_EQ(encoded.raw.inexpressible, 2U);
    EXPECT_EQ(encoded.raw.unknown_request, 0U);
    EXPECT_TRUE(survives(world_, {}, 0, builder.batch()));
}

TEST_F(CollectiveCallsTest, NonBlockingCollectivesCompleteInAnyOrder) {
    RecordBuilder builder;
    for (u64 round = 0; round < 10; ++round) {
        const u64 base = 10 * round;
        for (u64 i = 1; i <= 3; ++i) {
            builder.call(Region::ibcast, EventType::NonBlockingCollectiveRequest, {base + i});
        }
        builder.enter(Region::waitall);
        for (const u64 i : {3U, 1U, 2U}) {
            builder.event(EventType::NonBlockingCollectiveComplete,
                          {kBcast, kEven, i % 3, 0, 8 * i, base + i});
        }
        builder.leave(Region::waitall);
    }
    const EncodedCalls encoded = encode_calls(world_, {}, 4, builder.batch());
    EXPECT_EQ(encoded.symbols.size(), 2U);
    EXPECT_EQ(encoded.raw.total(), 0U);
    // The data of a completion stand with the call that posted it, in posting order.
    const std::vector<u64> roots = values_of_kind(encoded, FieldKind::root);
    EXPECT_EQ(std::vector<u64>(roots.begin(), roots.begin() + 6),
              (std::vector<u64>{1, 2, 0, 1, 2, 0}));
    EXPECT_TRUE(survives(world_, {}, 4, builder.batch()));
}

TEST_F(CollectiveCallsTest, LocationsWithoutMpiKeepTheirSizes) {
    RecordBuilder builder;
    collective(builder, Region::bcast, {kBcast, kWorld, 0, 48, 8});
    collective(builder, Region::allreduce, {kAllreduce, kWorld, kNone32, 48, 48});
    EXPECT_TRUE(survives(world_, {}, 6, builder.batch()));
}

}  // namespace
}  // namespace tracefold
