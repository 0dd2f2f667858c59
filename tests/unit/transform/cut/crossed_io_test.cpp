// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/record_counts.hpp"
#include "fold/structure_index.hpp"
#include "support/made_io.hpp"
#include "support/test_directory.hpp"
#include "transform/cut_trace.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// Operations that one location begins and another one completes are in a part as a whole or not at
/// all. They begin at 0, 100, 200, ... on the first location and are complete 50 ticks later.
class CrossedIoTest : public ::testing::TestWithParam<u64> {
  protected:
    CrossedIoTest() {
        testing::MadeIo io({.ranks = 1, .threads = 2, .paradigm = GetParam()});
        make_block_io(io);
        io.trace.fold(folder_ / "io.tfold");
    }

    /// Records of the part that begin operations, and that complete them.
    std::pair<u64, u64> cut(double from, double to) {
        TraceFile file(folder_ / "io.tfold");
        CutRequest request;
        const double tick = 1e-9;
        request.from = from * tick;
        request.to = to * tick;
        cut_trace(file, request, {folder_ / "part.tfold", 1, true, {}});
        TraceFile part(folder_ / "part.tfold");
        ExecutionCounts executions(part.index());
        const std::vector<u64> counts = record_counts(part.structure(), executions);
        return {counts[static_cast<u8>(EventType::IoOperationBegin)],
                counts[static_cast<u8>(EventType::IoOperationComplete)]};
    }

  private:
    TestDirectory folder_;
};

using Pair = std::pair<u64, u64>;

TEST_P(CrossedIoTest, IsWholeInThePartOrNotInIt) {
    EXPECT_EQ(cut(0, 1000), (Pair{10, 10}));
    EXPECT_EQ(cut(0, 230), (Pair{2, 2})) << "the one of 200 ends behind the part";
    EXPECT_EQ(cut(30, 330), (Pair{2, 2})) << "the one of 0 begins before it, too";
}

INSTANTIATE_TEST_SUITE_P(Processes, CrossedIoTest,
                         ::testing::Values(kParadigmMpi, testing::MadeTrace::kNoParadigm));

}  // namespace
}  // namespace tracefold
