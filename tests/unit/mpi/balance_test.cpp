// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/balance.hpp"

#include "support/communicator_set.hpp"
#include "support/definition_builder.hpp"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Kind = Action::Kind;

/// Three ranks whose actions are added by hand.
class BalanceTest : public ::testing::Test {
  protected:
    static constexpr u32 kRanks = 3;

    void SetUp() override {
        index_ = builder_.index();
        const auto all = communicator_set(index_, builder_);
        for (u32 rank = 0; rank < kRanks; ++rank) {
            tables_.push_back(std::make_unique<CommunicatorTable>(all, rank));
            balances_.emplace_back(*tables_.back());
        }
    }

    void add(u32 rank, const Action& action) {
        MpiCall call;
        call.actions = {&action, 1};
        balances_[rank].add(call);
    }
    void message(u32 rank, Kind kind, u32 peer, u32 tag, u64 bytes, u64 request = kNoRequest) {
        Action action;
        action.kind = kind;
        action.envelope = {builder_.world(), peer, tag, bytes};
        action.request = request;
        add(rank, action);
    }
    void barrier(u32 rank) {
        Action action;
        action.kind = Kind::collective;
        action.part.comm = builder_.world();
        add(rank, action);
    }
    [[nodiscard]] bool balanced() const {
        u64 sum = 0;
        for (const Balance& balance : balances_) sum += balance.sum();
        return sum == 0;
    }

    DefinitionBuilder builder_{kRanks};
    DefinitionIndex index_;
    std::vector<std::unique_ptr<CommunicatorTable>> tables_;
    std::vector<Balance> balances_;
};

TEST_F(BalanceTest, MessagesCancelTheirReceivesInAnyOrder) {
    message(0, Kind::send, 1, 5, 8);
    EXPECT_FALSE(balanced());
    message(0, Kind::send, 2, 5, 8, 1);
    message(2, Kind::receive, 0, 5, 8);
    message(1, Kind::post_receive, 0, 5, 8, 1);
    message(1, Kind::complete_receive, 0, 5, 8, 1);
    EXPECT_TRUE(balanced());
}

TEST_F(BalanceTest, EveryFieldCounts) {
    message(0, Kind::send, 1, 5, 8);
    message(1, Kind::receive, 0, 6, 8);
    EXPECT_FALSE(balanced());
    message(0, Kind::send, 1, 6, 8);
    message(1, Kind::receive, 0, 5, 9);
    EXPECT_FALSE(balanced());
    message(1, Kind::receive, 2, 5, 8);
    message(2, Kind::send, 1, 5, 9);
    EXPECT_FALSE(balanced());
}

TEST_F(BalanceTest, AllMembersHaveToCome) {
    barrier(1);
    barrier(0);
    EXPECT_FALSE(balanced());
    barrier(2);
    EXPECT_TRUE(balanced());
    barrier(2);
    EXPECT_FALSE(balanced());
}

TEST_F(BalanceTest, CancelledSendsAreTakenBack) {
    message(0, Kind::send, 1, 5, 8, 3);
    message(0, Kind::cancelled, 0, 0, 0, 3);
    EXPECT_TRUE(balanced());
}

TEST_F(BalanceTest, CompletionsOfAnotherKindAreNoBalance) {
    Action post;
    post.kind = Kind::post_receive;
    post.known = false;
    post.request = 7;
    add(0, post);
    EXPECT_TRUE(balanced());
    message(0, Kind::complete_send, 1, 3, 8, 7);
    EXPECT_FALSE(balanced());
}

TEST_F(BalanceTest, CompletionsThatNobodyPostedAreNoBalance) {
    message(1, Kind::complete_receive, 0, 5, 8, 7);
    EXPECT_FALSE(balanced());
}

}  // namespace
}  // namespace tracefold
