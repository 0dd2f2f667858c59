// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/matrix/traffic_matrix.hpp"
#include "support/made_traces.hpp"
#include "support/test_directory.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(MatchedMessagesTest, CountAsReceived) {
    const TestDirectory directory;
    const std::string path = (directory / "trace.tfold").string();
    testing::MadeTrace trace({});
    make_matched_probes(trace);
    trace.fold(path);
    TraceFile file(path);
    const ParticipantNames names(file.definitions());
    ExecutionCounts counts(file.index());
    const TrafficMatrix matrix =
        traffic_matrix(file, counts, rank_groups(file, names, GroupBy::rank), {true, true},
                       TrafficKind::point_to_point);
    EXPECT_EQ(matrix.total.calls, 6U);
    // One of them is probed, but never received.
    EXPECT_EQ(matrix.received.calls, 5U);
    EXPECT_EQ(matrix.received.bytes, 300U + 200 + 100 + 50 + 50);
    EXPECT_EQ(matrix.unknown.calls, 0U);
}

}  // namespace
}  // namespace tracefold
