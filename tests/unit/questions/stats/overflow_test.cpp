// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/communicator.hpp"
#include "questions/matrix/traffic_matrix.hpp"
#include "questions/stats/statistics.hpp"
#include "support/made_trace.hpp"
#include "support/test_directory.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using testing::MadeTrace;

constexpr u64 kNonsense = 18'000'000'000'000'000'000U;

/// Rank 0 sends 265 bytes three times, and rank 1 receives what no memory holds.
class OverflowTest : public ::testing::TestWithParam<TimingLevel> {
  protected:
    OverflowTest() {
        MadeTrace trace({.ranks = 2});
        for (u64 tag = 0; tag < 3; ++tag) {
            trace.call(0, "MPI_Send", {{EventType::MpiSend, {1, 0, tag, 265}}});
            trace.call(1, "MPI_Recv", {{EventType::MpiRecv, {0, 0, tag, kNonsense}}});
        }
        trace.fold(path_, GetParam());
    }

    TestDirectory folder_;
    std::string path_ = folder_ / "made.tfold";
};

TEST_P(OverflowTest, CostsStatisticsTheFigureAlone) {
    TraceFile file(path_);
    SerialCommunicator alone;
    SampleRequest request;
    const Statistics found = collect_statistics(alone, file, request);
    ASSERT_EQ(found.rows.size(), 2U);
    for (const Statistics::Row& row : found.rows) {
        const bool receives = row.name() == "MPI_Recv";
        const Moments& calls = row.figures.of(SampleScope::calls, Quantity::received);
        const Moments& ranks = row.figures.of(SampleScope::ranks, Quantity::received);
        EXPECT_EQ(row.figures.calls(), 3U);
        EXPECT_FALSE(calls.overflows());
        EXPECT_EQ(ranks.overflows(), receives);
        EXPECT_EQ(row.overflows_at, receives ? "1" : "");
        if (!receives) {
            EXPECT_EQ(row.figures.of(SampleScope::ranks, Quantity::sent).total(), 3U * 265);
            continue;
        }
        EXPECT_DOUBLE_EQ(calls.real_sum(), 5.4e19) << "one call after the other is exact";
        EXPECT_DOUBLE_EQ(calls.mean(), 1.8e19);
        EXPECT_FALSE(calls.total()) << "more than 64 bits";
        EXPECT_EQ(ranks.count(), 1U);
        EXPECT_FALSE(ranks.total());
        EXPECT_TRUE(std::isnan(ranks.real_sum()));
        EXPECT_TRUE(std::isnan(ranks.mean()));
        EXPECT_TRUE(std::isnan(ranks.deviation()));
    }
}

TEST_P(OverflowTest, CostsMatrixAndSizesTheSumAlone) {
    TraceFile file(path_);
    ExecutionCounts counts(file.index());
    const std::vector<bool> all(file.location_count(), true);
    const ParticipantNames names(file.definitions());
    const TrafficMatrix matrix = traffic_matrix(
        file, counts, rank_groups(file, names, GroupBy::rank), all, TrafficKind::point_to_point);
    EXPECT_EQ(matrix.total, (TrafficMatrix::Cell{3, 3 * 265}));
    EXPECT_EQ(matrix.received, (TrafficMatrix::Cell{3, kOverflow}));
    const MessageSizes sizes = message_sizes(file, counts, all, true);
    for (const auto& [key, histogram] : sizes.histograms) {
        const bool receives = key.side == MessageSizes::Side::received;
        EXPECT_EQ(histogram.count, 3U);
        EXPECT_EQ(histogram.bytes, receives ? kOverflow : 3 * 265);
        EXPECT_EQ(histogram.largest, receives ? kNonsense : 265);
    }
}

INSTANTIATE_TEST_SUITE_P(Levels, OverflowTest,
                         ::testing::Values(TimingLevel::exact, TimingLevel::none));

TEST(TransferTest, SumsOfRunsAreExactOrOverflow) {
    EXPECT_EQ(Transfer::sizes_of({10, 0, 3}, 2), 60U);
    EXPECT_EQ(Transfer::sizes_of({10, 5, 3}, 2), 90U);
    EXPECT_EQ(Transfer::sizes_of({20, ~u64{0} - 4, 3}, 1), 45U) << "20, 15, 10";
    EXPECT_EQ(Transfer::sizes_of({5, 1, 0}, 9), 0U);
    EXPECT_EQ(Transfer::sizes_of({kNonsense, 0, 1}, 1), kNonsense);
    EXPECT_EQ(Transfer::sizes_of({kNonsense, 0, 2}, 1), kOverflow);
    EXPECT_EQ(Transfer::sizes_of({kNonsense, 0, 1}, 2), kOverflow);
    EXPECT_EQ(Transfer::sizes_of({u64{1} << 63U, u64{1} << 63U, 4}, 1), kOverflow);
    EXPECT_EQ(Transfer::sizes_of({1, u64{1} << 63U, 2}, 1), (u64{1} << 63U) + 2);
}

/// A sample of the call stack counts once for every region on it, and for the innermost by itself.
TEST(SampleStatisticsTest, CountRegionsOnTheStackOnce) {
    const TestDirectory folder;
    MadeTrace trace({.ranks = 1});
    const u64 outer = trace.region("outer");
    const u64 inner = trace.region("inner");
    trace.define([=](DefinitionWriter& out) {
        out.add(DefinitionType::CallingContext, {0, outer, kNone, kNone});
        out.add(DefinitionType::CallingContext, {1, inner, kNone, 0});
        out.add(DefinitionType::CallingContext, {2, inner, kNone, 1});
    });
    for (const u64 context : {0, 1, 2, 2}) {
        trace.record(0, 0, EventType::CallingContextSample, {context, 1, 0});
    }
    for (const TimingLevel timing : {TimingLevel::exact, TimingLevel::none}) {
        const std::string path = folder / std::string(timing_name(timing));
        trace.fold(path, timing);
        TraceFile file(path);
        SerialCommunicator alone;
        SampleRequest request;
        request.iterations = false;
        const Statistics found = collect_statistics(alone, file, request);
        ASSERT_EQ(found.rows.size(), 2U);
        EXPECT_EQ(found.rows[0].name(), "outer");
        EXPECT_EQ(found.rows[0].figures.samples(), 4U);
        EXPECT_EQ(found.rows[1].figures.samples(), 3U) << "twice on the stack is once";
        const auto self = [&](std::size_t row) {
            return found.rows[row].figures.of(SampleScope::ranks, Quantity::self_samples).total();
        };
        EXPECT_EQ(self(0), 1U);
        EXPECT_EQ(self(1), 3U);
        EXPECT_EQ(found.rows[0].figures.ranks(), 1U);
    }
}

}  // namespace
}  // namespace tracefold
