// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/communicator_table.hpp"

#include "base/error.hpp"
#include "support/communicator_set.hpp"
#include "support/definition_builder.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Ranks = std::vector<u64>;

/// The table of one process, with the definitions that it refers to.
struct Process {
    Process(const DefinitionBuilder& builder, u32 me)
        : index(builder.index()), table(communicator_set(index, builder), me) {}

    DefinitionIndex index;
    CommunicatorTable table;
};

Ranks ranks(std::span<const u64> list) { return {list.begin(), list.end()}; }

TEST(CommunicatorTable, KnowsWorldAndSelf) {
    const DefinitionBuilder builder(3);
    const Process process(builder, 2);
    EXPECT_EQ(process.table.world(), builder.world());
    EXPECT_EQ(process.table.self(), builder.self());
    EXPECT_EQ(process.table.world_size(), 3U);
    EXPECT_EQ(ranks(process.table.find(builder.world())->members), (Ranks{0, 1, 2}));
    EXPECT_EQ(ranks(process.table.find(builder.self())->members), (Ranks{2}));
    EXPECT_TRUE(process.table.find(builder.self())->self_like);
    EXPECT_EQ(process.table.find(99), nullptr);
    EXPECT_EQ(process.table.id_limit(), 2U);
}

TEST(CommunicatorTable, HoldsWhatTheProcessIsAMemberOf) {
    DefinitionBuilder builder(4);
    const u64 reversed = builder.comm({3, 2, 1, 0}, builder.world());
    const u64 even = builder.comm({0, 2}, builder.world());
    const u64 odd = builder.comm({1, 3}, reversed);
    const Process process(builder, 1);
    EXPECT_EQ(process.table.own(), (Ranks{builder.world(), builder.self(), reversed, odd}));
    EXPECT_EQ(process.table.find(even), nullptr);
    EXPECT_EQ(ranks(process.table.find(reversed)->members), (Ranks{3, 2, 1, 0}));
    EXPECT_EQ(process.table.find(odd)->parent, reversed);
}

TEST(CommunicatorTable, SeesIntercommunicatorsFromItsOwnSide) {
    DefinitionBuilder builder(4);
    const u64 inter = builder.inter({0, 1}, {2}, builder.world());
    for (const u32 me : {1U, 2U}) {
        const Process process(builder, me);
        const CommunicatorView* view = process.table.find(inter);
        ASSERT_NE(view, nullptr);
        EXPECT_TRUE(view->inter);
        EXPECT_EQ(ranks(view->members), me == 1 ? (Ranks{0, 1}) : (Ranks{2}));
        EXPECT_EQ(ranks(view->remote), me == 1 ? (Ranks{2}) : (Ranks{0, 1}));
    }
    EXPECT_EQ(Process(builder, 3).table.find(inter), nullptr);
}

TEST(CommunicatorTable, KnowsShapesAlsoOfThoseWithoutTheProcess) {
    DefinitionBuilder builder(5);
    const u64 grid = builder.comm({0, 1, 2, 3}, builder.world());
    builder.cart(grid, {{2, true}, {2, false}});
    const u64 row = builder.comm({0, 1}, grid);
    builder.cart(row, {{2, false}}, true);

    const Process inside(builder, 0);
    ASSERT_NE(inside.table.find(grid)->cart, nullptr);
    EXPECT_EQ(*inside.table.find(grid)->cart, (CartShape{{2, 2}, {1, 0}, false}));
    EXPECT_TRUE(inside.table.find(row)->cart->is_part);
    EXPECT_TRUE(inside.table.carts_without_me(builder.world()).empty());

    const Process outside(builder, 4);
    EXPECT_EQ(outside.table.find(grid), nullptr);
    ASSERT_EQ(outside.table.carts_without_me(builder.world()).size(), 1U);
    EXPECT_EQ(outside.table.carts_without_me(builder.world())[0].id, grid);

    EXPECT_TRUE(Process(builder, 3).table.carts_without_me(grid).empty()) << "rows are parts";
}

TEST(CommunicatorTable, GroupsAreWorldRanks) {
    DefinitionBuilder builder(3);
    const u64 pair = builder.group({2, 0});
    const Process process(builder, 1);
    EXPECT_EQ(ranks(process.table.ranks_of_group(pair)), (Ranks{2, 0}));
    EXPECT_TRUE(process.table.ranks_of_group(77).empty());
}

TEST(CommunicatorTable, ProcessesShareASet) {
    DefinitionBuilder builder(4);
    const u64 even = builder.comm({0, 2}, builder.world());
    const u64 reversed = builder.comm({3, 2, 1, 0}, even);
    const DefinitionIndex index = builder.index();
    const auto all = communicator_set(index, builder);
    for (u32 me = 0; me < 4; ++me) {
        const CommunicatorTable table(all, me);
        EXPECT_EQ(table.find(even) != nullptr, me % 2 == 0);
        EXPECT_EQ(table.own().back(), reversed);
        EXPECT_EQ(ranks(table.find(builder.self())->members), (Ranks{me}));
        EXPECT_EQ(table.world_rank(), me);
    }
}

TEST(CommunicatorTable, MembersMustBeRanks) {
    DefinitionBuilder builder(2);
    builder.comm({0, 2}, builder.world());
    EXPECT_THROW(Process(builder, 0), Error);
}

TEST(CommunicatorTable, ARankIsAMemberOnce) {
    DefinitionBuilder builder(3);
    builder.comm({0, 2, 0}, builder.world());
    EXPECT_THROW(Process(builder, 0), Error);
}

}  // namespace
}  // namespace tracefold
