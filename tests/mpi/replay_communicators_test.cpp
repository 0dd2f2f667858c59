// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "mpi/replay_program.hpp"
#include "replay/communicators/communicators.hpp"

#include <algorithm>

namespace tracefold::testing {
namespace {

class ReplayCommunicatorsTest : public ReplayObjectsTest {
  protected:
    /// World ranks of the members, gathered over the communicator itself.
    [[nodiscard]] Ranks members(u64 comm) const {
        const MPI_Comm handle = communicators_->handle(comm);
        int count = 0;
        MPI_Comm_size(handle, &count);
        const u64 own = me();
        Ranks ranks(static_cast<std::size_t>(count));
        MPI_Allgather(&own, 1, MPI_UINT64_T, ranks.data(), 1, MPI_UINT64_T, handle);
        return ranks;
    }
    /// World ranks of the other side.
    [[nodiscard]] Ranks partners(u64 comm) const {
        const MPI_Comm handle = communicators_->handle(comm);
        int count = 0;
        MPI_Comm_remote_size(handle, &count);
        const u64 own = me();
        Ranks ranks(static_cast<std::size_t>(count));
        MPI_Allgather(&own, 1, MPI_UINT64_T, ranks.data(), 1, MPI_UINT64_T, handle);
        return ranks;
    }
    [[nodiscard]] static Ranks of_parity(u32 parity) {
        Ranks ranks;
        for (u64 rank = parity; rank < size(); rank += 2) ranks.push_back(rank);
        return ranks;
    }
    [[nodiscard]] static int topology(MPI_Comm comm) {
        int kind = 0;
        MPI_Topo_test(comm, &kind);
        return kind;
    }
};

TEST_F(ReplayCommunicatorsTest, WorldAndSelfAreThere) {
    start();
    EXPECT_EQ(communicators_->handle(builder_.world()), MPI_COMM_WORLD);
    EXPECT_EQ(communicators_->handle(builder_.self()), MPI_COMM_SELF);
    EXPECT_EQ(communicators_->local_size(builder_.world()), size());
    EXPECT_FALSE(communicators_->is_inter(builder_.world()));
    EXPECT_THROW((void)communicators_->handle(17), Error);
}

TEST_F(ReplayCommunicatorsTest, DuplicatesAndTheirDuplicates) {
    const u64 first = builder_.comm(all(), builder_.world());
    const u64 second = builder_.comm(all(), first);
    start();
    create(MpiFunction::Comm_dup, builder_.world(), first);
    create(MpiFunction::Comm_dup_with_info, first, second);
    EXPECT_EQ(members(second), all());
    free(second);
    EXPECT_EQ(communicators_->find(second), MPI_COMM_NULL);
    EXPECT_THROW((void)communicators_->handle(second), Error);
    free(first, MpiFunction::Comm_disconnect);
}

TEST_F(ReplayCommunicatorsTest, ADuplicateMayComeLater) {
    const u64 first = builder_.comm(all(), builder_.world());
    start();
    for (int round = 0; round < 3; ++round) {
        Action post = comm_action(Action::Kind::post_collective, builder_.world());
        post.request = 5;
        Call call(MpiFunction::Comm_idup, {post});
        communicators_->create(call.get(), requests_);
        ASSERT_NE(requests_.find(5), nullptr);
        MPI_Wait(requests_.find(5), MPI_STATUS_IGNORE);
        requests_.remove(5);
        Action done = comm_action(Action::Kind::complete_collective, builder_.world());
        done.request = 5;
        done.part.kind = CollectiveKind::create_handle;
        Call wait(MpiFunction::Wait, {comm_action(Action::Kind::create_comm, first), done});
        communicators_->complete(wait.get());
        EXPECT_EQ(members(first), all());
        free(first);
    }
}

TEST_F(ReplayCommunicatorsTest, PartsHaveTheRecordedOrder) {
    const Ranks mine = of_parity(me() % 2);
    Ranks even = of_parity(0);
    Ranks odd = of_parity(1);
    std::reverse(even.begin(), even.end());
    std::reverse(odd.begin(), odd.end());
    const u64 of_even = builder_.comm(even, builder_.world());
    const u64 of_odd = odd.empty() ? kNone : builder_.comm(odd, builder_.world());
    start();
    const u64 own = me() % 2 == 0 ? of_even : of_odd;
    create(MpiFunction::Comm_split, builder_.world(), own);
    EXPECT_EQ(members(own), me() % 2 == 0 ? even : odd);
    EXPECT_EQ(communicators_->local_size(own), mine.size());
}

TEST_F(ReplayCommunicatorsTest, SomeProcessesGetNone) {
    Ranks ends = {size() - 1};
    if (size() > 1) ends.push_back(0);
    const u64 split = builder_.comm(ends, builder_.world());
    const u64 created = builder_.comm(ends, builder_.world());
    const u64 grouped = builder_.comm(ends, builder_.world());
    const u64 typed = builder_.comm(ends, builder_.world());
    start();
    const bool mine = in(ends);
    create(MpiFunction::Comm_split, builder_.world(), mine ? split : kNone);
    create(MpiFunction::Comm_create, builder_.world(), mine ? created : kNone);
    create(MpiFunction::Comm_split_type, builder_.world(), mine ? typed : kNone);
    if (!mine) return;
    create(MpiFunction::Comm_create_group, grouped, grouped);
    for (const u64 comm : {split, created, grouped, typed}) EXPECT_EQ(members(comm), ends);
}

TEST_F(ReplayCommunicatorsTest, OneDefinitionStandsForTheSelfLikeOnesOfAll) {
    const u64 single = builder_.self_like();
    const u64 copy = builder_.self_like();
    start();
    create(MpiFunction::Comm_split, builder_.world(), single);
    create(MpiFunction::Comm_dup, single, copy);
    EXPECT_EQ(members(copy), Ranks{me()});
}

TEST_F(ReplayCommunicatorsTest, GridsAndTheirRows) {
    const u32 columns = 2;
    const u32 rows = size() / columns;
    if (rows == 0) GTEST_SKIP() << "one process makes no grid";
    Ranks cells(u64{rows} * columns);
    std::iota(cells.begin(), cells.end(), u64{0});
    const u64 grid = builder_.comm(cells, builder_.world());
    builder_.cart(grid, {{rows, true}, {1, false}, {columns, false}});
    std::vector<u64> lines;
    for (u64 row = 0; row < rows; ++row) {
        lines.push_back(builder_.comm({2 * row, 2 * row + 1}, grid));
        builder_.cart(lines.back(), {{1, false}, {columns, false}}, true);
    }
    start();
    const bool inside = in(cells);
    create(MpiFunction::Cart_create, builder_.world(), inside ? grid : kNone);
    EXPECT_EQ(inferences_.of(Inference::cart_as_split), 0U);
    if (!inside) return;
    EXPECT_EQ(members(grid), cells);
    EXPECT_EQ(topology(communicators_->handle(grid)), MPI_CART);
    const u64 line = lines[me() / columns];
    create(MpiFunction::Cart_sub, grid, line);
    EXPECT_EQ(members(line), (Ranks{me() / columns * 2, me() / columns * 2 + 1}));
    int dimensions = 0;
    MPI_Cartdim_get(communicators_->handle(line), &dimensions);
    EXPECT_EQ(dimensions, 2);
}

TEST_F(ReplayCommunicatorsTest, AGridInAnotherOrderLosesItsShape) {
    Ranks reversed = all();
    std::reverse(reversed.begin(), reversed.end());
    const u64 grid = builder_.comm(reversed, builder_.world());
    builder_.cart(grid, {{size(), false}});
    start();
    create(MpiFunction::Cart_create, builder_.world(), grid);
    EXPECT_EQ(members(grid), reversed);
    EXPECT_EQ(inferences_.of(Inference::cart_as_split), size() == 1 ? 0U : 1U);
}

TEST_F(ReplayCommunicatorsTest, GraphsAreMadeAsRings) {
    Ranks reversed = all();
    std::reverse(reversed.begin(), reversed.end());
    const u64 graph = builder_.comm(reversed, builder_.world());
    start();
    create(MpiFunction::Dist_graph_create_adjacent, builder_.world(), graph);
    EXPECT_EQ(members(graph), reversed);
    EXPECT_EQ(topology(communicators_->handle(graph)), MPI_DIST_GRAPH);
    int before_and_after[2] = {};
    int weights[2] = {};
    int in[2] = {};
    MPI_Dist_graph_neighbors(communicators_->handle(graph), 2, in, weights, 2, before_and_after,
                             weights);
    const u32 place = size() - 1 - me();
    EXPECT_EQ(static_cast<u32>(before_and_after[0]), (place + size() - 1) % size());
    EXPECT_EQ(static_cast<u32>(before_and_after[1]), (place + 1) % size());
    EXPECT_EQ(inferences_.of(Inference::graph), 1U);
}

TEST_F(ReplayCommunicatorsTest, SidesAreConnectedAndMerged) {
    if (size() < 2) GTEST_SKIP() << "one process has no other side";
    const Ranks sides[2] = {of_parity(0), of_parity(1)};
    const u64 parts[2] = {
        sides[0].size() == 1 ? builder_.self_like() : builder_.comm(sides[0], builder_.world()),
        sides[1].size() == 1 ? kNone : builder_.comm(sides[1], builder_.world())};
    const u64 inter = builder_.inter(sides[0], sides[1], builder_.world());
    Ranks merged = sides[1];
    merged.insert(merged.end(), sides[0].begin(), sides[0].end());
    const u64 both = builder_.comm(merged, inter);
    const u64 copy = builder_.inter(sides[0], sides[1], inter);
    start();
    const u32 parity = me() % 2;
    const u64 part = sides[parity].size() == 1 ? parts[0] : parts[parity];
    if (part != kNone)
        create(MpiFunction::Comm_split, builder_.world(), part);
    else
        create(MpiFunction::Comm_split, builder_.world(), kNone);
    create(MpiFunction::Intercomm_create, inter, inter);
    EXPECT_TRUE(communicators_->is_inter(inter));
    EXPECT_EQ(partners(inter), sides[1 - parity]);
    EXPECT_EQ(inferences_.of(Inference::inter_group), 0U);
    create(MpiFunction::Intercomm_merge, inter, both);
    EXPECT_EQ(members(both), merged);
    create(MpiFunction::Comm_dup, inter, copy);
    EXPECT_EQ(partners(copy), sides[1 - parity]);
}

TEST_F(ReplayCommunicatorsTest, SidesWithoutACommunicatorGetOne) {
    if (size() < 4) GTEST_SKIP() << "sides of one process need none";
    const u64 inter = builder_.inter(of_parity(0), of_parity(1), kNone);
    start();
    create(MpiFunction::Intercomm_create, inter, inter);
    EXPECT_EQ(partners(inter), of_parity(1 - me() % 2));
    EXPECT_EQ(inferences_.of(Inference::inter_group), 1U);
}

TEST_F(ReplayCommunicatorsTest, WhatHasNoRecordIsLeftOutAndCounted) {
    start();
    Call call(MpiFunction::Comm_dup, {});
    communicators_->create(call.get(), requests_);
    Call free_call(MpiFunction::Comm_free, {});
    communicators_->destroy(free_call.get());
    EXPECT_EQ(inferences_.of(Inference::creation_left_out), 1U);
    EXPECT_EQ(inferences_.of(Inference::free_left_out), 1U);
}

TEST_F(ReplayCommunicatorsTest, WhatNoCallMakesIsThereFromTheStart) {
    const u64 odd = builder_.comm(of_parity(me() % 2), kNone);
    start();
    const std::vector<u64> early = {odd};
    communicators_->make_early(early);
    EXPECT_EQ(members(odd), of_parity(me() % 2));
    EXPECT_EQ(inferences_.of(Inference::made_early), 1U);
}

TEST_F(ReplayCommunicatorsTest, MembersAloneMakeWhatHasAnUnknownParent) {
    const u64 odd = builder_.comm(of_parity(me() % 2), kNone);
    start();
    create(MpiFunction::Comm_split, odd, odd);
    EXPECT_EQ(members(odd), of_parity(me() % 2));
    EXPECT_EQ(inferences_.of(Inference::parent_unknown), 1U);
}

TEST_F(ReplayCommunicatorsTest, OtherMembersThanRecordedAreAnError) {
    if (size() < 2) GTEST_SKIP() << "one process has one order only";
    Ranks reversed = all();
    std::reverse(reversed.begin(), reversed.end());
    const u64 odd = builder_.comm(reversed, builder_.world());
    start();
    EXPECT_THROW(create(MpiFunction::Comm_dup, builder_.world(), odd), Error);
}

TEST_F(ReplayCommunicatorsTest, ProgramsCanStartAgain) {
    const u64 copy = builder_.comm(all(), builder_.world());
    start();
    for (int round = 0; round < 3; ++round) {
        create(MpiFunction::Comm_dup, builder_.world(), copy);
        communicators_->reset();
    }
    EXPECT_EQ(communicators_->find(copy), MPI_COMM_NULL);
}

}  // namespace
}  // namespace tracefold::testing
