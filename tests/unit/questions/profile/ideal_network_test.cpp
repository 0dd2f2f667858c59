// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/detail/efficiency.hpp"
#include "support/made_trace.hpp"
#include "support/test_directory.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using testing::MadeTrace;

/// Two ranks or more whose calls have times of their own, between MPI_Init, which ends at 100, and
/// MPI_Finalize.
class TimedRun {
  public:
    explicit TimedRun(u32 ranks) : trace_({.ranks = ranks}), ranks_(ranks) {
        for (u32 rank = 0; rank < ranks; ++rank) call(rank, 0, 100, "MPI_Init");
    }
    void call(u32 rank, u64 begin, u64 end, const std::string& function,
              const std::vector<MadeTrace::Event>& events = {}) {
        trace_.timed_call(rank, begin, end, function, events);
    }
    void collective(u32 rank, u64 begin, u64 end, const std::string& function, CollectiveKind kind,
                    u64 sent, u64 received, u64 root = 0xFFFFFFFF) {
        call(rank, begin, end, function,
             {{EventType::MpiCollectiveBegin, {}},
              {EventType::MpiCollectiveEnd, {static_cast<u64>(kind), 0, root, sent, received}}});
    }
    void send(u32 rank, u64 begin, u64 end, u32 to) {
        call(rank, begin, end, "MPI_Send", {{EventType::MpiSend, {to, 0, 7, 8}}});
    }
    void receive(u32 rank, u64 begin, u64 end, u32 from) {
        call(rank, begin, end, "MPI_Recv", {{EventType::MpiRecv, {from, 0, 7, 8}}});
    }
    /// All ranks enter MPI_Finalize at this time.
    Efficiency end(u64 time) {
        for (u32 rank = 0; rank < ranks_; ++rank) call(rank, time, time + 100, "MPI_Finalize");
        const std::string path = (directory_ / "program.tfold").string();
        trace_.fold(path);
        TraceFile file(path);
        return trace_efficiency(file);
    }

  private:
    MadeTrace trace_;
    TestDirectory directory_;
    u32 ranks_;
};

TEST(IdealNetworkTest, AMatrixOfUnknownPairsIsARangeThatTheRecordNarrows) {
    TimedRun run(3);
    // Rank 0 left before rank 2 came: it did not wait for rank 2, but perhaps for rank 1.
    run.collective(0, 200, 700, "MPI_Alltoallv", CollectiveKind::alltoallv, 8, 8);
    run.collective(1, 600, 700, "MPI_Alltoallv", CollectiveKind::alltoallv, 8, 8);
    run.collective(2, 900, 1000, "MPI_Alltoallv", CollectiveKind::alltoallv, 8, 8);
    const Efficiency result = run.end(1100);
    EXPECT_EQ(result.ranks[0].ideal, (IdealTime{100 + 400, 500 + 400}));
    EXPECT_EQ(result.ranks[1].ideal, (IdealTime{500 + 400, 500 + 400}));
    EXPECT_EQ(result.ranks[2].ideal, (IdealTime{800 + 100, 800 + 100}));
    EXPECT_FALSE(result.has_range());  // of all ranks
    EXPECT_EQ(result.ranks[0].waits[static_cast<std::size_t>(WaitKind::all_to_all)], 400U);
    EXPECT_EQ(result.early_collectives, 0U);
}

TEST(IdealNetworkTest, FactorsOfAnUnknownOrderAreRanges) {
    TimedRun run(2);
    run.collective(0, 200, 1000, "MPI_Alltoallv", CollectiveKind::alltoallv, 8, 8);
    run.collective(1, 900, 1000, "MPI_Alltoallv", CollectiveKind::alltoallv, 8, 8);
    const Efficiency result = run.end(1900);
    // Rank 0 computes 100 and 900 ticks, rank 1 800 and 900, in 1800.
    EXPECT_EQ(result.ideal_runtime, (IdealTime{1700, 1700}));
    EXPECT_EQ(result.ranks[0].ideal, (IdealTime{1000, 1700}));
    TimedRun skewed(2);
    skewed.collective(0, 200, 1000, "MPI_Alltoallv", CollectiveKind::alltoallv, 8, 8);
    skewed.collective(1, 900, 1000, "MPI_Alltoallv", CollectiveKind::alltoallv, 8, 8);
    skewed.collective(1, 1010, 1800, "MPI_Barrier", CollectiveKind::barrier, 0, 0);
    skewed.collective(0, 1790, 1800, "MPI_Barrier", CollectiveKind::barrier, 0, 0);
    const Efficiency range = skewed.end(1900);
    EXPECT_EQ(range.ideal_runtime, (IdealTime{100 + 790 + 100, 800 + 790 + 100}));
    EXPECT_DOUBLE_EQ(*range.transfer, 990.0 / 1800);
    EXPECT_DOUBLE_EQ(*range.transfer_most, 1690.0 / 1800);
    EXPECT_DOUBLE_EQ(*range.serialisation, 990.0 / 1690);
    EXPECT_DOUBLE_EQ(*range.serialisation_most, 1.0);
    EXPECT_NE(range.why_range.find("MPI_Alltoallv"), std::string::npos);
}

TEST(IdealNetworkTest, SumsThatExceedTheTotalMakeAPairCertain) {
    TimedRun run(3);
    // Rank 1 sends all but 4 of 20 B, rank 0 receives 8: rank 0 certainly needs rank 1.
    run.collective(0, 200, 1000, "MPI_Alltoallv", CollectiveKind::alltoallv, 4, 8);
    run.collective(1, 700, 1000, "MPI_Alltoallv", CollectiveKind::alltoallv, 16, 6);
    run.collective(2, 900, 1000, "MPI_Alltoallv", CollectiveKind::alltoallv, 0, 6);
    const Efficiency result = run.end(1100);
    // Nobody waits for rank 2, which sends nothing.
    EXPECT_EQ(result.ranks[0].ideal, (IdealTime{600 + 100, 600 + 100}));
}

TEST(IdealNetworkTest, MembersOfVectorOperationsNeedOnlyThoseThatContribute) {
    TimedRun run(3);
    run.collective(0, 200, 500, "MPI_Gatherv", CollectiveKind::gatherv, 0, 8, 0);
    run.collective(1, 400, 500, "MPI_Gatherv", CollectiveKind::gatherv, 8, 0, 0);
    run.collective(2, 900, 910, "MPI_Gatherv", CollectiveKind::gatherv, 0, 0, 0);
    const Efficiency result = run.end(1000);
    EXPECT_EQ(result.ranks[0].ideal, (IdealTime{300 + 500, 300 + 500}));
    EXPECT_EQ(result.early_collectives, 0U);
    EXPECT_LE(*result.transfer, 1.0);
}

TEST(IdealNetworkTest, AnOperationWithoutDataKeepsNobody) {
    TimedRun run(2);
    run.collective(0, 200, 210, "MPI_Allreduce", CollectiveKind::allreduce, 0, 0);
    run.collective(1, 900, 910, "MPI_Allreduce", CollectiveKind::allreduce, 0, 0);
    const Efficiency result = run.end(1000);
    EXPECT_EQ(result.ranks[0].ideal, (IdealTime{890, 890}));
    EXPECT_EQ(result.early_collectives, 0U);
}

TEST(IdealNetworkTest, ADependencyThatTheRecordContradictsMeansThatTheClocksDisagree) {
    TimedRun run(2);
    run.collective(0, 200, 300, "MPI_Barrier", CollectiveKind::barrier, 0, 0);
    run.collective(1, 900, 910, "MPI_Barrier", CollectiveKind::barrier, 0, 0);
    const Efficiency result = run.end(1000);
    EXPECT_EQ(result.early_collectives, 1U);
    // 800 ticks up to the barrier and 700 after it, in 900.
    EXPECT_FALSE(result.transfer.has_value());
    EXPECT_NE(result.why_not_split.find("contradict"), std::string::npos);
}

TEST(IdealNetworkTest, AFunctionThatNeverHasARecordIsNotFree) {
    TimedRun run(2);
    for (u32 rank = 0; rank < 2; ++rank) {
        run.call(rank, 200, 210, "MPI_Start");
        run.call(rank, 210, 800, "MPI_Wait");
    }
    const Efficiency result = run.end(1000);
    EXPECT_TRUE(result.communication.has_value());
    EXPECT_FALSE(result.transfer.has_value());
    EXPECT_EQ(result.why_not_split, "2 calls of MPI_Start have no record of the communication");
}

TEST(IdealNetworkTest, CallsToNoProcessAreFree) {
    TimedRun run(3);
    run.send(0, 200, 210, 1);
    run.receive(1, 200, 220, 0);
    run.call(1, 300, 301, "MPI_Send");
    run.call(2, 200, 201, "MPI_Recv");
    const Efficiency result = run.end(1000);
    EXPECT_EQ(result.why_not_split, "");
    EXPECT_TRUE(result.transfer.has_value());
}

}  // namespace
}  // namespace tracefold
