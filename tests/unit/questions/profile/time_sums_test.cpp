// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/detail/efficiency.hpp"
#include "support/sample_file.hpp"

#include <numeric>
#include <string>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// Over the samples: the lines of a rank sum to its time, to the tick.
class TimeSumsTest : public ::testing::TestWithParam<std::string> {};

TEST_P(TimeSumsTest, ComputationAndMpiByKindAreTheWindow) {
    SampleFile sample(GetParam(), TimingLevel::exact);
    const Efficiency result = trace_efficiency(*sample);
    EXPECT_FALSE(result.ranks.empty());
    for (const RankEfficiency& rank : result.ranks) {
        EXPECT_EQ(rank.computation + rank.overhead + rank.mpi, rank.time().length())
            << "rank " << rank.rank;
        EXPECT_LE(rank.polling, rank.computation);
        const u64 at_end = rank.waits[static_cast<std::size_t>(WaitKind::finalize)];
        const u64 in_wrong_order = rank.waits[static_cast<std::size_t>(WaitKind::wrong_order)];
        const u64 waits =
            std::accumulate(rank.waits.begin(), rank.waits.end(), u64{0}) - at_end - in_wrong_order;
        EXPECT_LE(in_wrong_order, rank.waits[static_cast<std::size_t>(WaitKind::late_sender)]);
        EXPECT_EQ(waits + rank.io + rank.other_mpi(), rank.mpi) << "rank " << rank.rank;
        EXPECT_LE(at_end, rank.finalize);
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, TimeSumsTest,
                         ::testing::Values("made-cuda-2", "micro-anysrc-4", "micro-mpiio-4",
                                           "micro-omphyb-4", "micro-pcoll-4", "micro-rma-4",
                                           "micro-stencil2d9p-isend-4", "micro-user-4",
                                           "npb-lu.S-4", "tau-colls-4"),
                         sample_test_name<std::string>);

}  // namespace
}  // namespace tracefold
