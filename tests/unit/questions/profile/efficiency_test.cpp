// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/detail/efficiency.hpp"

#include "base/error.hpp"
#include "mpi/collective_instances.hpp"
#include "support/sample_file.hpp"
#include "support/written_program.hpp"

#include <functional>
#include <numeric>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// Efficiency of a program that is written down call by call.
class Program {
  public:
    Program(u64 ranks, const WrittenProgram::Rank& body) {
        WrittenProgram program(ranks, body);
        result = trace_efficiency(*program);
    }

    /// Ticks that a rank waited in a call path; 0 if it did not.
    [[nodiscard]] u64 wait(u32 rank, WaitKind kind, const std::string& call) const {
        u64 ticks = 0;
        for (const Efficiency::Wait& wait : result.waits) {
            const bool is_it = wait.rank == rank && wait.kind == kind;
            if (is_it && wait.path == "program/" + call) ticks += wait.ticks;
        }
        return ticks;
    }

    Efficiency result;
};

TEST(EfficiencyTest, ALateSenderMakesItsReceiverWait) {
    const Program program(2, [](EventRecorder& recorder, u64 rank) {
        recorder.compute(rank == 0 ? 10000 : 1000);
        if (rank == 0) {
            recorder.send(1, 7, 64);
        } else {
            recorder.receive(0, 7, 64, 9100);
        }
    });
    const Efficiency& result = program.result;
    EXPECT_EQ(program.wait(1, WaitKind::late_sender, "MPI_Recv"), 9000U);
    EXPECT_EQ(program.wait(0, WaitKind::barrier, "MPI_Barrier"), 100U);
    EXPECT_EQ(result.waits.size(), 3U);  // and one in MPI_Finalize
    ASSERT_EQ(result.ranks.size(), 2U);
    EXPECT_EQ(result.ranks[0].computation, 300U + 10100 + 200);
    EXPECT_EQ(result.ranks[1].computation, 300U + 1100 + 200);
    EXPECT_EQ(result.ranks[1].waits[0], 9000U);
    // Without a network, rank 1 still has to wait for the message.
    EXPECT_EQ(result.ideal_runtime.most, 300U + 10100 + 200);
    EXPECT_FALSE(result.has_range());
    EXPECT_EQ(result.ranks[1].ideal, result.ranks[0].ideal);
    EXPECT_EQ(result.early_messages, 0U);
    EXPECT_DOUBLE_EQ(*result.load_balance, 12200.0 / 2 / 10600);
    EXPECT_DOUBLE_EQ(*result.serialisation, 1.0);
    EXPECT_DOUBLE_EQ(*result.transfer, 10600.0 / static_cast<double>(result.runtime));
    EXPECT_DOUBLE_EQ(*result.parallel, *result.load_balance * *result.communication);
    EXPECT_DOUBLE_EQ(*result.communication, *result.serialisation * *result.transfer);
}

TEST(EfficiencyTest, ALateReceiverMakesABlockingSenderWait) {
    const auto body = [](u64 waited) {
        return [waited](EventRecorder& recorder, u64 rank) {
            recorder.compute(rank == 0 ? 1000 : 5000);
            if (rank == 0) {
                recorder.send(1, 7, 1 << 20, waited);
            } else {
                recorder.receive(0, 7, 1 << 20, 3000);
            }
        };
    };
    const Program waits(2, body(6000));
    EXPECT_EQ(waits.wait(0, WaitKind::late_receiver, "MPI_Send"), 4000U);
    EXPECT_EQ(waits.wait(1, WaitKind::late_sender, "MPI_Recv"), 0U);
    // A send that ended before its receive was posted did not wait for it.
    const Program buffered(2, body(0));
    EXPECT_EQ(buffered.wait(0, WaitKind::late_receiver, "MPI_Send"), 0U);
    EXPECT_EQ(buffered.result.ideal_runtime, waits.result.ideal_runtime);
}

TEST(EfficiencyTest, AWaitIsNoLongerThanItsCall) {
    const Program program(2, [](EventRecorder& recorder, u64 rank) {
        recorder.compute(rank == 0 ? 10000 : 1000);
        if (rank == 0) {
            recorder.send(1, 7, 64);
        } else {
            recorder.receive(0, 7, 64);
        }
    });
    EXPECT_EQ(program.wait(1, WaitKind::late_sender, "MPI_Recv"), 200U);
    // Received before it was sent.
    EXPECT_EQ(program.result.early_messages, 1U);
}

TEST(EfficiencyTest, CollectivesWaitForWhomTheyNeed) {
    const Program program(3, [](EventRecorder& recorder, u64 rank) {
        // Rank 1, the root, comes last.
        recorder.compute(rank == 1 ? 3000 : rank * 500);
        recorder.collective("MPI_Bcast", EventRecorder::kBcast, 8, 8, rank == 1 ? 0 : 3000, 1);
        recorder.compute(rank == 2 ? 9000 : 0);
        recorder.collective("MPI_Reduce", EventRecorder::kReduce, 8, 8, rank == 1 ? 10000 : 0, 1);
    });
    EXPECT_EQ(program.wait(0, WaitKind::late_root, "MPI_Bcast"), 3000U);
    EXPECT_EQ(program.wait(1, WaitKind::late_root, "MPI_Bcast"), 0U);
    EXPECT_EQ(program.wait(2, WaitKind::late_root, "MPI_Bcast"), 2000U);
    // Rank 1 left the broadcast 200 ticks after 3000, rank 2 200 + 3000 ticks after 1000.
    EXPECT_EQ(program.wait(1, WaitKind::early_root, "MPI_Reduce"), 9000U + 1000);
    EXPECT_EQ(program.wait(0, WaitKind::early_root, "MPI_Reduce"), 0U);
    EXPECT_TRUE(program.result.transfer.has_value());
}

TEST(EfficiencyTest, WhereAllNeedAllEverybodyWaitsForTheLast) {
    const Program program(3, [](EventRecorder& recorder, u64 rank) {
        recorder.compute(1000 * rank);
        recorder.collective("MPI_Allreduce", EventRecorder::kAllreduce, 8, 8, 2000 - 1000 * rank);
        recorder.compute(1000 * rank);
        constexpr auto kScan = static_cast<u64>(CollectiveKind::scan);
        recorder.collective("MPI_Scan", kScan, 8, 8, rank == 0 ? 0 : 1000);
    });
    EXPECT_EQ(program.wait(0, WaitKind::all_to_all, "MPI_Allreduce"), 2000U);
    EXPECT_EQ(program.wait(1, WaitKind::all_to_all, "MPI_Allreduce"), 1000U);
    EXPECT_EQ(program.wait(2, WaitKind::all_to_all, "MPI_Allreduce"), 0U);
    // A scan needs those of lower rank, all of which came before.
    for (u32 rank = 0; rank < 3; ++rank) {
        EXPECT_EQ(program.wait(rank, WaitKind::prefix, "MPI_Scan"), 0U);
    }
}

TEST(EfficiencyTest, AScanWaitsForThoseOfLowerRank) {
    const Program program(3, [](EventRecorder& recorder, u64 rank) {
        recorder.compute(rank == 1 ? 3000 : 1000);
        constexpr auto kScan = static_cast<u64>(CollectiveKind::scan);
        recorder.collective("MPI_Scan", kScan, 8, 8, rank == 2 ? 2500 : 0);
    });
    EXPECT_EQ(program.wait(0, WaitKind::prefix, "MPI_Scan"), 0U);
    EXPECT_EQ(program.wait(1, WaitKind::prefix, "MPI_Scan"), 0U);
    EXPECT_EQ(program.wait(2, WaitKind::prefix, "MPI_Scan"), 2000U);
}

TEST(EfficiencyTest, WithoutWaitingAllFactorsButTransferAreOne) {
    const Program program(2, [](EventRecorder& recorder, u64) {
        recorder.compute(5000);
        recorder.collective("MPI_Allreduce", EventRecorder::kAllreduce, 16, 16);
    });
    EXPECT_TRUE(program.result.waits.empty());
    EXPECT_DOUBLE_EQ(*program.result.load_balance, 1.0);
    EXPECT_DOUBLE_EQ(*program.result.serialisation, 1.0);
    EXPECT_DOUBLE_EQ(*program.result.transfer, *program.result.parallel);
}

TEST(EfficiencyTest, MessagesWithoutPartnerAreNoBasisForAnIdealNetwork) {
    const Program program(2, [](EventRecorder& recorder, u64 rank) {
        if (rank == 1) recorder.receive(0, 7, 64);
    });
    EXPECT_TRUE(program.result.parallel.has_value());
    EXPECT_FALSE(program.result.transfer.has_value());
    EXPECT_FALSE(program.result.serialisation.has_value());
    EXPECT_FALSE(program.result.why_not_split.empty());
}

TEST(EfficiencyTest, FilesWithoutTheTimeOfEveryRecordAreRefused) {
    for (const auto timing : {TimingLevel::none, TimingLevel::histogram}) {
        SampleFile file("micro-user-4", timing);
        EXPECT_THROW(trace_efficiency(*file), Error);
    }
}

TEST(EfficiencyTest, SamplesHaveSoundFigures) {
    for (const char* name : {"micro-user-4", "npb-lu.S-4", "micro-stencil2d9p-isend-4",
                             "micro-anysrc-4", "tau-colls-4"}) {
        SampleFile file(name, TimingLevel::exact);
        const Efficiency result = trace_efficiency(*file);
        ASSERT_TRUE(result.parallel.has_value()) << name;
        EXPECT_NEAR(*result.parallel, *result.load_balance * *result.communication, 1e-12);
        for (const RankEfficiency& rank : result.ranks) {
            EXPECT_EQ(rank.time().length(), rank.computation + rank.mpi) << name;
            EXPECT_GE(rank.ideal.least, rank.computation) << name;
            const u64 waited = std::accumulate(rank.waits.begin(), rank.waits.end(), u64{0});
            EXPECT_LE(waited, rank.mpi) << name;
        }
        EXPECT_GT(*result.load_balance, 0.0);
        EXPECT_LE(*result.load_balance, 1.0);
        if (!result.transfer) continue;
        EXPECT_LE(result.serialisation_most.value_or(*result.serialisation), 1.0) << name;
        EXPECT_LE(result.transfer_most.value_or(*result.transfer), 1.0) << name;
    }
}

TEST(EfficiencyTest, EachRankByItselfHasTheSameTimesWithoutWaits) {
    for (const char* name : {"micro-user-4", "npb-lu.S-4", "micro-stencil2d9p-isend-4",
                             "micro-rma-4", "micro-mpiio-4", "micro-omphyb-4", "tau-colls-4"}) {
        SampleFile file(name, TimingLevel::exact);
        const Efficiency walked = trace_efficiency(*file);
        const Efficiency alone = trace_efficiency(*file, WaitSearch::none);
        ASSERT_EQ(alone.ranks.size(), walked.ranks.size()) << name;
        for (std::size_t rank = 0; rank < walked.ranks.size(); ++rank) {
            const RankEfficiency& wanted = walked.ranks[rank];
            const RankEfficiency& found = alone.ranks[rank];
            EXPECT_EQ(found.begin, wanted.begin) << name;
            EXPECT_EQ(found.end, wanted.end) << name;
            EXPECT_EQ(found.computation, wanted.computation) << name;
            EXPECT_EQ(found.mpi, wanted.mpi) << name;
            EXPECT_EQ(found.io, wanted.io) << name;
            EXPECT_EQ(std::accumulate(found.waits.begin(), found.waits.end(), u64{0}), 0U) << name;
        }
        EXPECT_EQ(alone.runtime, walked.runtime) << name;
        EXPECT_EQ(alone.parallel, walked.parallel) << name;
        EXPECT_EQ(alone.load_balance, walked.load_balance) << name;
        EXPECT_EQ(alone.communication, walked.communication) << name;
        EXPECT_TRUE(alone.waits.empty()) << name;
        EXPECT_FALSE(alone.serialisation || alone.transfer || alone.has_ideal()) << name;
        EXPECT_FALSE(alone.why_not_split.empty()) << name;
    }
}

TEST(CollectiveWaitsTest, EachKindOfOperationHasItsOwnRule) {
    EXPECT_EQ(collective_wait(CollectiveKind::barrier), WaitKind::barrier);
    EXPECT_EQ(collective_wait(CollectiveKind::bcast), WaitKind::late_root);
    EXPECT_EQ(collective_wait(CollectiveKind::allreduce), WaitKind::all_to_all);
    EXPECT_EQ(collective_wait(CollectiveKind::reduce), WaitKind::early_root);
    EXPECT_EQ(collective_wait(CollectiveKind::scan), WaitKind::prefix);
    EXPECT_EQ(collective_wait(CollectiveKind::create_handle), WaitKind::communicator);
}

}  // namespace
}  // namespace tracefold
