// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/collective_arguments.hpp"
#include "mpi/collective_instances.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Arrivals = std::vector<u64>;

/// The sizes of a member, and the root as it states it.
struct Part {
    u64 sent = 0;
    u64 received = 0;
    u32 root = kNone;
};

CollectiveNeeds needs_of(CollectiveKind kind, const std::vector<Part>& parts, u32 first_side = 0,
                         u64 key = 0, bool inferred = false) {
    CollectiveInstances::Context context;
    context.key = key;
    context.first_side = first_side == 0 ? static_cast<u32>(parts.size()) : first_side;
    CollectiveInstances::Instance instance;
    instance.part.kind = kind;
    instance.part.root = parts.front().root;
    for (u32 member = 0; member < parts.size(); ++member) {
        const Part& part = parts[member];
        context.members.push_back(10 + member);  // world ranks
        instance.present.push_back(
            {10 + member, {}, part.root, part.sent, part.received, inferred});
        instance.sent += part.sent;
        instance.received += part.received;
    }
    return {context, instance};
}

constexpr auto kData = Part{8, 8};
const Arrivals kArrivals = {5, 9, 3};

TEST(CollectiveNeedsTest, EachKindOfOperationHasItsOwnRule) {
    const auto ready = [](CollectiveKind kind, u32 root) {
        return needs_of(kind, {3, {8, 8, root}}).ready_times(kArrivals);
    };
    EXPECT_EQ(ready(CollectiveKind::barrier, kNone), (Arrivals{9, 9, 9}));
    EXPECT_EQ(ready(CollectiveKind::allreduce, kNone), (Arrivals{9, 9, 9}));
    EXPECT_EQ(ready(CollectiveKind::create_handle, kNone), (Arrivals{9, 9, 9}));
    EXPECT_EQ(ready(CollectiveKind::bcast, 0), (Arrivals{5, 9, 5}));
    EXPECT_EQ(ready(CollectiveKind::scatterv, 1), (Arrivals{9, 9, 9}));
    EXPECT_EQ(ready(CollectiveKind::reduce, 2), (Arrivals{5, 9, 9}));
    EXPECT_EQ(ready(CollectiveKind::scan, kNone), (Arrivals{5, 9, 9}));
}

TEST(CollectiveNeedsTest, WithoutDataNobodyNeedsOthers) {
    for (const CollectiveKind kind : {CollectiveKind::bcast, CollectiveKind::allgather,
                                      CollectiveKind::alltoallv, CollectiveKind::scan}) {
        EXPECT_EQ(needs_of(kind, {3, {0, 0, 0}}).ready_times(kArrivals), kArrivals);
    }
    EXPECT_EQ(needs_of(CollectiveKind::barrier, {3, Part{}}).ready_times(kArrivals),
              (Arrivals{9, 9, 9}));
}

TEST(CollectiveNeedsTest, VectorOperationsGoBySizesOfTheirMembers) {
    // Member 1 contributes nothing.
    EXPECT_EQ(needs_of(CollectiveKind::allgatherv, {{8, 8}, {0, 8}, {8, 8}}).ready_times(kArrivals),
              (Arrivals{5, 9, 5}));
    EXPECT_EQ(needs_of(CollectiveKind::gatherv, {{8, 0, 2}, {0, 0, 2}, {8, 16, 2}})
                  .ready_times(kArrivals),
              (Arrivals{5, 9, 5}));
    // Member 2 gets nothing.
    EXPECT_EQ(needs_of(CollectiveKind::scatterv, {{0, 8, 1}, {16, 8, 1}, {0, 0, 1}})
                  .ready_times(kArrivals),
              (Arrivals{9, 9, 3}));
    EXPECT_EQ(
        needs_of(CollectiveKind::reduce_scatter, {{8, 24}, {8, 0}, {8, 0}}).ready_times(kArrivals),
        (Arrivals{9, 9, 3}));
}

TEST(CollectiveNeedsTest, ACountThatAllShareMovesDataForAll) {
    // Recorders may write the size of a broadcast at its root only.
    EXPECT_EQ(
        needs_of(CollectiveKind::bcast, {{0, 0, 1}, {24, 0, 1}, {0, 0, 1}}).ready_times(kArrivals),
        (Arrivals{9, 9, 9}));
}

TEST(CollectiveNeedsTest, TheBasisSaysWhatTheRecordMayDisprove) {
    EXPECT_EQ(needs_of(CollectiveKind::barrier, {2, kData}).basis(), NeedBasis::semantics);
    EXPECT_EQ(needs_of(CollectiveKind::allreduce, {2, kData}).basis(), NeedBasis::semantics);
    EXPECT_EQ(needs_of(CollectiveKind::allreduce, {2, kData}, 0, 0, true).basis(),
              NeedBasis::custom);
    EXPECT_EQ(needs_of(CollectiveKind::create_handle, {2, kData}).basis(), NeedBasis::custom);
    EXPECT_EQ(needs_of(CollectiveKind::barrier, {2, kData}, 0, kWindowContext).basis(),
              NeedBasis::custom);
    EXPECT_EQ(needs_of(CollectiveKind::destroy_handle, {2, kData}).basis(), NeedBasis::unknown);
    EXPECT_EQ(needs_of(CollectiveKind::destroy_handle, {2, kData}, 0, kWindowContext).basis(),
              NeedBasis::custom);
    EXPECT_EQ(needs_of(CollectiveKind::alltoallw, {2, kData}).basis(), NeedBasis::unknown);
    // The root of an operation may be unknown.
    EXPECT_EQ(needs_of(CollectiveKind::bcast, {2, kData}).basis(), NeedBasis::custom);
}

TEST(CollectiveNeedsTest, APairOfAMatrixIsCertainIfItsSumsExceedTheTotal) {
    const CollectiveNeeds open = needs_of(CollectiveKind::alltoallv, {3, kData});
    EXPECT_EQ(open.certain_times(kArrivals), kArrivals);
    EXPECT_EQ(open.ready_times(kArrivals), (Arrivals{9, 9, 9}));
    const CollectiveNeeds some = needs_of(CollectiveKind::alltoallv, {{4, 8}, {16, 6}, {0, 6}});
    EXPECT_EQ(some.certain_times(kArrivals), (Arrivals{9, 9, 9}));
    EXPECT_EQ(needs_of(CollectiveKind::destroy_handle, {3, kData}).certain_times(kArrivals),
              kArrivals);
}

TEST(CollectiveNeedsTest, MembersOfAnIntercommunicatorNeedTheOtherSide) {
    // Members 0 and 1 are on one side, member 2 on the other.
    EXPECT_EQ(needs_of(CollectiveKind::barrier, {3, kData}, 2).ready_times(kArrivals),
              (Arrivals{5, 9, 9}));
    EXPECT_EQ(needs_of(CollectiveKind::allreduce, {3, kData}, 1).ready_times(kArrivals),
              (Arrivals{9, 9, 5}));
    EXPECT_EQ(needs_of(CollectiveKind::create_handle, {3, kData}, 1).ready_times(kArrivals),
              (Arrivals{9, 9, 9}));
    // Member 1 broadcasts to the other side; member 0 takes no part.
    const std::vector<Part> parts = {{0, 0, kRootThisGroup}, {8, 0, kRootSelf}, {0, 8, 1}};
    EXPECT_EQ(needs_of(CollectiveKind::bcast, parts, 2).ready_times(kArrivals),
              (Arrivals{5, 9, 9}));
    EXPECT_EQ(needs_of(CollectiveKind::reduce, parts, 2).ready_times(kArrivals),
              (Arrivals{5, 9, 3}));
}

}  // namespace
}  // namespace tracefold
