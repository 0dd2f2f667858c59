// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/inferences.hpp"
#include "support/communicator_set.hpp"
#include "support/definition_builder.hpp"

#include <map>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Comms = std::vector<u64>;

/// Calls of ranks of old recorders, which say nothing about communicators but use them.
class CommunicatorInferenceTest : public ::testing::Test {
  protected:
    static constexpr u32 kRanks = 4;

    void call(const Comms& ranks, MpiFunction function, CallFamily family) {
        for (const u64 rank : ranks) calls_[rank].push_back({function, family, kNone});
    }
    void make(const Comms& ranks, MpiFunction function) {
        call(ranks, function, CallFamily::comm_create);
    }
    void free(const Comms& ranks) { call(ranks, MpiFunction::Comm_free, CallFamily::comm_free); }
    void use(const Comms& ranks, u64 comm) {
        for (const u64 rank : ranks) {
            calls_[rank].push_back({MpiFunction::Barrier, CallFamily::collective, comm});
        }
    }
    void know(u64 rank, const Comms& order) { orders_[rank] = order; }

    /// By rank; locations have the numbers of ranks.
    std::map<u64, ReplayPatch> infer() {
        const DefinitionIndex index = builder_.index();
        const auto all = communicator_set(index, builder_);
        const FileTable files;
        std::vector<CommunicatorTable> tables;
        for (u32 rank = 0; rank < kRanks; ++rank) tables.emplace_back(all, rank);
        std::vector<CommunicatorHistory> histories;
        for (u32 rank = 0; rank < kRanks; ++rank) {
            histories.emplace_back(tables[rank], files);
            fill(histories.back(), rank);
        }
        std::map<u64, ReplayPatch> by_rank;
        for (ReplayPatch& one : infer_communicators(histories, {0, 1, 2, 3})) {
            by_rank.emplace(one.location, one);
        }
        return by_rank;
    }

    /// What the creating calls of a rank made, in order; kNone where it got none.
    static Comms made(const ReplayPatch& patch) {
        Comms comms;
        for (const auto& creation : patch.creations) comms.push_back(creation.made);
        return comms;
    }
    static Comms calls(const ReplayPatch& patch) {
        Comms indices;
        for (const auto& creation : patch.creations) indices.push_back(creation.index);
        return indices;
    }
    static Comms freed(const ReplayPatch& patch) {
        Comms comms;
        for (const auto& one : patch.frees) comms.push_back(one.comm);
        return comms;
    }

    DefinitionBuilder builder_{kRanks};
    const Comms all_ = {0, 1, 2, 3};

  private:
    struct Call {
        MpiFunction function;
        CallFamily family;
        u64 comm;
    };

    void fill(CommunicatorHistory& history, u32 rank) {
        u64 index = 0;
        for (const Call& call : calls_[rank]) {
            MpiCall mpi_call;
            mpi_call.function = call.function;
            mpi_call.family = call.family;
            mpi_call.index = index++;
            Action action;
            action.kind = Action::Kind::collective;
            action.part.comm = call.comm;
            if (call.comm != kNone) mpi_call.actions = {&action, 1};
            history.add(rank, mpi_call, true);
        }
        history.finish(orders_[rank]);
    }

    std::vector<Call> calls_[kRanks];
    Comms orders_[kRanks];
};

TEST_F(CommunicatorInferenceTest, DuplicatesAreMadeInOrder) {
    const u64 first = builder_.comm(all_, builder_.world());
    const u64 second = builder_.comm(all_, first);
    make(all_, MpiFunction::Comm_dup);
    make(all_, MpiFunction::Comm_dup);
    use(all_, second);
    use(all_, first);
    const auto inferred = infer();
    ASSERT_EQ(inferred.size(), kRanks);
    for (const auto& [rank, patch] : inferred) {
        EXPECT_EQ(made(patch), (Comms{first, second}));
        EXPECT_EQ(patch.creations[1].parent, first);
        EXPECT_TRUE(patch.early_communicators.empty());
    }
}

TEST_F(CommunicatorInferenceTest, OneSplitMakesSeveral) {
    const u64 low = builder_.comm({0, 1}, builder_.world());
    const u64 high = builder_.comm({3, 2}, builder_.world());
    make(all_, MpiFunction::Comm_split);
    use({0, 1}, low);
    use({2, 3}, high);
    auto inferred = infer();
    EXPECT_EQ(made(inferred[1]), (Comms{low}));
    EXPECT_EQ(made(inferred[2]), (Comms{high}));
}

TEST_F(CommunicatorInferenceTest, TheLastCallBeforeTheFirstUseMakesIt) {
    const u64 low = builder_.comm({0, 1}, builder_.world());
    make(all_, MpiFunction::Comm_split);
    make(all_, MpiFunction::Comm_split);
    use({0, 1}, low);
    make(all_, MpiFunction::Comm_split);
    auto inferred = infer();
    for (const u64 rank : all_) {
        EXPECT_EQ(calls(inferred[rank]), (Comms{1}));
        EXPECT_EQ(made(inferred[rank]), (Comms{rank < 2 ? low : kNone}));
    }
}

TEST_F(CommunicatorInferenceTest, WhoGetsNoneCallsAsWell) {
    const u64 low = builder_.comm({0, 1}, builder_.world());
    const u64 high = builder_.comm({1, 2, 3}, builder_.world());
    make(all_, MpiFunction::Comm_create);
    use({0, 1}, low);
    make(all_, MpiFunction::Comm_create);
    use({1, 2, 3}, high);
    auto inferred = infer();
    EXPECT_EQ(made(inferred[0]), (Comms{low, kNone}));
    EXPECT_EQ(made(inferred[1]), (Comms{low, high}));
    EXPECT_EQ(made(inferred[3]), (Comms{kNone, high}));
    EXPECT_EQ(inferred[3].creations[0].parent, builder_.world());
}

TEST_F(CommunicatorInferenceTest, FunctionsTellShapesApart) {
    const u64 grid = builder_.comm(all_, builder_.world());
    builder_.cart(grid, {{2, true}, {2, true}});
    const u64 copy = builder_.comm(all_, builder_.world());
    // The ranks came to know the copy first.
    for (const u64 rank : all_) know(rank, {0, 1, copy, grid});
    make(all_, MpiFunction::Comm_dup);
    make(all_, MpiFunction::Cart_create);
    auto inferred = infer();
    EXPECT_EQ(made(inferred[0]), (Comms{copy, grid}));
}

TEST_F(CommunicatorInferenceTest, NestedSplitsBelongToTheirParents) {
    const u64 low = builder_.comm({0, 1}, builder_.world());
    const u64 swapped = builder_.comm({1, 0}, low);
    const u64 high = builder_.comm({2, 3}, builder_.world());
    const u64 self = builder_.self_like();
    make(all_, MpiFunction::Comm_split);
    make({0, 1}, MpiFunction::Comm_split);
    make({2}, MpiFunction::Comm_dup);
    use({0, 1}, swapped);
    use({2, 3}, high);
    use({2}, self);
    auto inferred = infer();
    EXPECT_EQ(made(inferred[0]), (Comms{low, swapped}));
    EXPECT_EQ(made(inferred[2]), (Comms{high, self}));
    EXPECT_EQ(made(inferred[3]), (Comms{high})) << "the definition stands for rank 2 only";
    EXPECT_EQ(inferred[2].creations[1].parent, self);
}

TEST_F(CommunicatorInferenceTest, WhatNoCallMakesExistsFromTheStart) {
    const u64 low = builder_.comm({0, 1}, builder_.world());
    use({0}, low);
    auto inferred = infer();
    EXPECT_EQ(inferred[0].early_communicators, (Comms{low}));
    EXPECT_EQ(inferred[1].early_communicators, (Comms{low}));
    EXPECT_EQ(inferred.count(2), 0U);
}

TEST_F(CommunicatorInferenceTest, TwoSidesMakeAnIntercommunicator) {
    const u64 low = builder_.comm({0, 1}, builder_.world());
    const u64 high = builder_.comm({2, 3}, builder_.world());
    const u64 inter = builder_.inter({0, 1}, {2, 3}, builder_.world());
    make(all_, MpiFunction::Comm_split);
    make(all_, MpiFunction::Intercomm_create);
    use(all_, inter);
    auto inferred = infer();
    EXPECT_EQ(made(inferred[0]), (Comms{low, inter}));
    EXPECT_EQ(made(inferred[3]), (Comms{high, inter}));
}

TEST_F(CommunicatorInferenceTest, WithoutDefinitionsIntercommunicatorsAreNone) {
    const u64 low = builder_.comm({0, 1}, builder_.world());
    builder_.comm({2, 3}, builder_.world());
    make(all_, MpiFunction::Comm_split);
    make(all_, MpiFunction::Intercomm_create);
    auto inferred = infer();
    EXPECT_EQ(made(inferred[0]), (Comms{low}));
    EXPECT_EQ(calls(inferred[0]), (Comms{0}));
}

TEST_F(CommunicatorInferenceTest, FreesComeAfterTheLastUse) {
    const u64 first = builder_.comm(all_, builder_.world());
    const u64 second = builder_.comm(all_, builder_.world());
    make(all_, MpiFunction::Comm_dup);
    make(all_, MpiFunction::Comm_dup);
    use(all_, second);
    free(all_);
    use(all_, first);
    free(all_);
    free(all_);
    auto inferred = infer();
    for (const u64 rank : all_) EXPECT_EQ(freed(inferred[rank]), (Comms{second, first}));
}

TEST_F(CommunicatorInferenceTest, OnlyMembersFree) {
    const u64 low = builder_.comm({0, 1}, builder_.world());
    const u64 copy = builder_.comm(all_, builder_.world());
    make(all_, MpiFunction::Comm_split);
    make(all_, MpiFunction::Comm_dup);
    use(all_, copy);
    free({0, 1});
    free(all_);
    auto inferred = infer();
    EXPECT_EQ(freed(inferred[0]), (Comms{low, copy}));
    EXPECT_EQ(freed(inferred[2]), (Comms{copy}));
}

}  // namespace
}  // namespace tracefold
