// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "mpi/replay_program.hpp"
#include "replay/collectives/vector_collectives.hpp"

namespace tracefold::testing {
namespace {

class SizeExchangeTest : public ReplayObjectsTest {
  protected:
    void SetUp() override {
        std::vector<u64> reversed(all());
        std::reverse(reversed.begin(), reversed.end());
        backwards_ = builder_.comm(reversed, builder_.world());
        start();
    }

    static constexpr u64 kCalls = 5;

    /// What a rank sends and receives in a call.
    static Contribution sizes(u64 rank, u64 call) { return {rank * 100 + call, rank + call * 7}; }

    void expect_sizes(SizeExchange& exchange, u64 comm, bool reversed) {
        for (u64 call = 0; call < kCalls; ++call) {
            const SizeExchange::Sizes found = exchange.next(comm);
            ASSERT_EQ(found.own_group.size(), size());
            ASSERT_EQ(found.other_group.size(), size());
            for (u64 member = 0; member < size(); ++member) {
                const u64 rank = reversed ? size() - 1 - member : member;
                EXPECT_EQ(found.own_group[member].sent, sizes(rank, call).sent);
                EXPECT_EQ(found.own_group[member].received, sizes(rank, call).received);
            }
        }
    }

    u64 backwards_ = kNone;
};

TEST_F(SizeExchangeTest, TellsTheSizesOfAllMembersInTheirOrder) {
    SizeExchange exchange(*table_);
    for (u64 call = 0; call < kCalls; ++call) {
        exchange.record(builder_.world(), sizes(me(), call));
        exchange.record(backwards_, sizes(me(), call));
    }
    exchange.exchange(MPI_COMM_WORLD);
    for (int repetition = 0; repetition < 2; ++repetition) {
        exchange.rewind();
        expect_sizes(exchange, backwards_, size() > 1);
        expect_sizes(exchange, builder_.world(), false);
        EXPECT_THROW(exchange.next(builder_.world()), Error);
    }
}

TEST_F(SizeExchangeTest, RefusesDifferentNumbersOfCalls) {
    SizeExchange exchange(*table_);
    for (u64 call = 0; call < 1 + u64{me() == 0 ? 1U : 0U}; ++call) {
        exchange.record(builder_.world(), sizes(me(), call));
    }
    exchange.exchange(MPI_COMM_WORLD);
    if (size() == 1) {
        EXPECT_NO_THROW(exchange.rewind());
    } else {
        EXPECT_THROW(exchange.rewind(), Error);
    }
}

TEST_F(SizeExchangeTest, KnowsNothingOfOtherCommunicators) {
    SizeExchange exchange(*table_);
    exchange.exchange(MPI_COMM_WORLD);
    exchange.rewind();
    EXPECT_THROW(exchange.next(builder_.world()), Error);
}

}  // namespace
}  // namespace tracefold::testing
