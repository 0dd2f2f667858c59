// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/record_history.hpp"
#include "support/record_builder.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// Five records that send 64 bytes and wait, with a request from a counter.
void write_iteration(RecordBuilder& builder, u64 request, u64 bytes = 64) {
    builder.isend(2, kWorld, 9, bytes, request);
    builder.enter(Region::wait).sent(request).leave(Region::wait);
}
constexpr std::size_t kIteration = 6;

RecordBatch iterations(u64 count, u64 first_request = 0) {
    RecordBuilder builder;
    for (u64 i = 0; i < count; ++i) write_iteration(builder, first_request + i);
    return builder.batch();
}

TEST(RecordHistoryTest, FindsThePeriodAlthoughRequestsCount) {
    RecordHistory history;
    const RecordBatch records = iterations(400);
    history.add(records, records.heads());
    EXPECT_EQ(history.period(), kIteration);
    EXPECT_TRUE(history.repeats_after(kIteration));
    EXPECT_TRUE(history.repeats_after(5 * kIteration));
    EXPECT_FALSE(history.repeats_after(kIteration + 1));
}

TEST(RecordHistoryTest, WantsEvidence) {
    RecordHistory history;
    const RecordBatch records = iterations(RecordHistory::kEvidence / kIteration);
    history.add(records, records.heads());
    EXPECT_EQ(history.period(), 0U);
    EXPECT_FALSE(history.repeats_after(RecordHistory::kEvidence));
}

TEST(RecordHistoryTest, FindsNoPeriodInWhatChanges) {
    RecordHistory history;
    RecordBuilder builder;
    for (u64 i = 0; i < 3000; ++i) write_iteration(builder, i, i * i);
    history.add(builder.batch(), builder.batch().heads());
    EXPECT_EQ(history.period(), 0U);
}

TEST(RecordHistoryTest, RemembersRepetitionsOfLongPeriods) {
    RecordHistory history;
    RecordBuilder builder;
    for (u64 i = 0; i < 1000; ++i) write_iteration(builder, i, i * i);
    history.add(builder.batch(), builder.batch().heads());
    history.repeat(builder.batch().size(), 1'000'000'000'000);
    EXPECT_TRUE(history.repeats_after(builder.batch().size()));
    EXPECT_LE(history.size(), 2 * RecordHistory::kReach);
}

TEST(RecordHistoryTest, ALoopInsideIsNoEvidenceOfALargerOne) {
    RecordHistory history;
    const auto add = [&history](u64 iterations_of_inner, u64 bytes) {
        RecordBuilder builder;
        for (u64 i = 0; i < 50; ++i) write_iteration(builder, i, bytes + i);
        for (u64 i = 0; i < 20; ++i) write_iteration(builder, i);
        history.add(builder.batch(), builder.batch().heads());
        history.repeat(kIteration, iterations_of_inner);
    };
    const auto add_head = [&history](u64 bytes) {
        RecordBuilder builder;
        for (u64 i = 0; i < 50; ++i) write_iteration(builder, i, bytes + i);
        history.add(builder.batch(), builder.batch().heads());
    };
    add(500, 100);
    add(501, 100);
    add_head(100);
    EXPECT_EQ(history.period(), 0U);
    history = {};
    add(500, 100);
    add(500, 100);
    EXPECT_EQ(history.period(), 0U) << "the inner loop has not ended";
    add_head(100);
    EXPECT_EQ(history.period(), 570 * kIteration);
}

class RecordLoopTest : public ::testing::Test {
  protected:
    RecordLoopTest() {
        loop_.begin(true);
        const RecordBatch first = iterations(1);
        loop_.capture(first, first.heads());
        CountedIds step;
        step[IdCounter::request] = 1;
        loop_.close(step);
    }
    std::size_t match(const RecordBatch& batch) { return loop_.match(batch, batch.heads()); }

    RecordLoop loop_;
};

TEST_F(RecordLoopTest, CountsIterationsWhoseRequestsGoOn) {
    for (u64 i = 1; i <= 3; ++i) {
        ASSERT_EQ(match(iterations(1, i)), kIteration);
        ASSERT_TRUE(loop_.complete());
        loop_.next();
    }
    EXPECT_EQ(loop_.iterations(), 3U);
    EXPECT_EQ(loop_.progress()[IdCounter::request], 3U);
}

TEST_F(RecordLoopTest, StopsAtTheEndOfAnIteration) {
    EXPECT_EQ(match(iterations(2, 1)), kIteration);
    EXPECT_TRUE(loop_.complete());
}

TEST_F(RecordLoopTest, StopsAtAnotherRequest) {
    RecordBuilder builder;
    builder.isend(2, kWorld, 9, 64, 1);
    builder.enter(Region::wait).sent(5).leave(Region::wait);
    EXPECT_EQ(match(builder.batch()), 4U);
    EXPECT_FALSE(loop_.complete());
}

TEST_F(RecordLoopTest, StopsAtAnotherValueTypeOrAttribute) {
    RecordBuilder other_bytes;
    write_iteration(other_bytes, 1, 65);
    EXPECT_EQ(match(other_bytes.batch()), 1U);
    RecordBuilder other_type;
    other_type.leave(Region::isend);
    EXPECT_EQ(match(other_type.batch()), 0U);
    RecordBuilder attribute;
    attribute.event(EventType::MpiIsend, {2, kWorld, 9, 64, 1}, {{0, 4, 7}});
    EXPECT_EQ(match(attribute.batch()), 0U);
}

TEST_F(RecordLoopTest, KeepsWhatWasMatchedOfAnIteration) {
    const RecordBatch next = iterations(1, 1);
    ASSERT_EQ(loop_.match(next, next.heads().first(4)), 4U);
    ASSERT_EQ(loop_.matched().size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(loop_.matched()[i].time, next[i].time);
        const auto kept = loop_.records().values(loop_.matched()[i]);
        const auto given = next.values(next[i]);
        EXPECT_TRUE(std::equal(kept.begin(), kept.end(), given.begin(), given.end()));
    }
}

TEST(KnownPeriodsTest, NamesTheLargestThatFits) {
    KnownPeriods periods;
    for (const std::size_t period : {12U, 90U, 4U}) periods.worked(period);
    EXPECT_EQ(periods.largest([](std::size_t) { return true; }), 90U);
    EXPECT_EQ(periods.largest([](std::size_t period) { return period < 50; }), 12U);
    EXPECT_EQ(periods.largest([](std::size_t) { return false; }), 0U);
    periods.failed(90);
    EXPECT_EQ(periods.largest([](std::size_t) { return true; }), 12U);
}

TEST(KnownPeriodsTest, ForgivesAsManyFailuresAsThereWereSuccesses) {
    KnownPeriods periods;
    const auto known = [&periods] { return periods.largest([](std::size_t) { return true; }); };
    periods.failed(7);
    EXPECT_EQ(known(), 0U);
    periods.worked(7);
    periods.worked(7);
    periods.failed(7);
    EXPECT_EQ(known(), 7U);
    periods.failed(7);
    EXPECT_EQ(known(), 0U);
}

TEST(KnownPeriodsTest, ForgetsTheOneThatWorkedLongestAgo) {
    KnownPeriods periods;
    periods.worked(1000);
    for (std::size_t period = 1; period <= 8; ++period) periods.worked(period);
    EXPECT_EQ(periods.largest([](std::size_t) { return true; }), 8U);
}

}  // namespace
}  // namespace tracefold
