// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/symbol_table.hpp"
#include "support/call_stream.hpp"
#include "support/record_builder.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// Some sends, then `rounds` receives that are tested `failures` times in vain, then once more.
RecordBatch polling_program(u64 rounds, u64 failures) {
    RecordBuilder builder;
    for (u64 i = 0; i < 5; ++i) builder.call(Region::send, EventType::MpiSend, {1, kWorld, 0, 8});
    for (u64 i = 0; i < rounds; ++i) {
        builder.irecv(i);
        for (u64 k = 0; k < failures; ++k) {
            builder.enter(Region::testsome).leave(Region::testsome);
        }
        builder.enter(Region::testsome).received(1, kWorld, 0, 8, i).leave(Region::testsome);
    }
    return builder.batch();
}

class PollScoutTest : public ::testing::Test {
  protected:
    void judge(const RecordBatch& records) {
        const PollDetector::Heads heads = records.heads();
        scout_.watch(records, heads.subspan(scout_.records_before_test(records, heads)));
        scout_.judge();
    }
    [[nodiscard]] bool polls(Region region) const { return scout_.polls(static_cast<u64>(region)); }
    static u64 symbols(const EncodedCalls& encoded) { return encoded.symbols.size(); }

    SmallWorld world_{2};
    MappingTables tables_;
    PollDetector scout_{world_.definitions(), tables_};
};

TEST_F(PollScoutTest, FindsTheFirstTest) {
    const RecordBatch records = polling_program(1, 1);
    const std::size_t before = scout_.records_before_test(records, records.heads());
    EXPECT_EQ(before, 5U * 3 + 3);
    EXPECT_EQ(scout_.records_before_test(records, records.heads().first(before)), before);
}

TEST_F(PollScoutTest, KnowsPollsByManyFailures) {
    judge(polling_program(20, 12));
    EXPECT_TRUE(polls(Region::testsome));
    EXPECT_FALSE(polls(Region::wait));
    EXPECT_FALSE(scout_.polls(1'000'000));
}

TEST_F(PollScoutTest, LeavesTestsAloneThatSucceed) {
    judge(polling_program(1000, 4));
    EXPECT_FALSE(polls(Region::testsome));
}

TEST_F(PollScoutTest, WantsEvidence) {
    judge(polling_program(3, 12));
    EXPECT_FALSE(polls(Region::testsome));
}

TEST_F(PollScoutTest, JudgesARegionOnce) {
    judge(polling_program(1000, 4));
    const RecordBatch records = polling_program(20, 100);
    EXPECT_EQ(scout_.records_before_test(records, records.heads()), records.size());
    judge(records);
    EXPECT_FALSE(polls(Region::testsome));
}

TEST_F(PollScoutTest, WatchesNoMoreThanAStretch) {
    const RecordBatch records = polling_program(400, 50);
    const std::size_t watched = scout_.watch(records, records.heads());
    EXPECT_LT(watched, records.size());
    EXPECT_TRUE(scout_.has_seen_enough());
    scout_.judge();
    EXPECT_TRUE(polls(Region::testsome));
}

TEST_F(PollScoutTest, FailedPollsHaveASymbolWithoutValues) {
    const RecordBatch records = polling_program(20, 12);
    const EncodedCalls shared = encode_calls(world_, tables_, 0, records);
    judge(records);
    const EncodedCalls apart = encode_calls(world_, tables_, 0, records, records.size(), &scout_);
    EXPECT_EQ(symbols(apart), symbols(shared) + 1);
    // One number less for each: how many requests it completed.
    EXPECT_EQ(shared.calls.values.size() - apart.calls.values.size(), 20U * 12);
    StructureStore store;
    fold_calls(apart, 0, store);
    EXPECT_TRUE(same_records(Stream::events, records,
                             unfold_calls(world_, tables_, 0, store.finish(Stream::events, 1))));
}

}  // namespace
}  // namespace tracefold
