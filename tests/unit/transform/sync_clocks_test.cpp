// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "transform/sync_clocks.hpp"

#include "base/error.hpp"
#include "support/made_trace.hpp"
#include "support/sample_file.hpp"
#include "support/written_program.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// A trace, and what became of it once its clocks were corrected.
class Synced {
  public:
    explicit Synced(TraceFile& file, double latency = 0) {
        const std::string path = (directory_ / "synced.tfold").string();
        report = sync_clocks(file, {path, 1, false, latency, {}});
        file_ = std::make_unique<TraceFile>(path);
    }

    /// The time of the n-th record of a type on a location.
    [[nodiscard]] u64 time(u32 location, EventType type, u64 number = 0) {
        u64 found = 0;
        drain(*file_->events(location), [&](const RecordBatch& batch) {
            for (const RecordBatch::Head& head : batch.heads()) {
                if (head.type != static_cast<u8>(type) || number-- != 0) continue;
                found = head.time;
            }
        });
        return found;
    }

    TraceFile& operator*() { return *file_; }

    SyncReport report;

  private:
    TestDirectory directory_;
    std::unique_ptr<TraceFile> file_;
};

/// Rank 0 sends at 10600, rank 1 receives at 1700: 8900 ticks too early. (All times from 10^9 on;
/// the barrier before them ends at 400 on both.)
void early_message(EventRecorder& recorder, u64 rank) {
    recorder.compute(rank == 0 ? 10'000 : 1'000);
    if (rank == 0) {
        recorder.send(1, 7, 64);
    } else {
        recorder.receive(0, 7, 64);
    }
}

TEST(SyncClocksTest, AMessageIsReceivedATickAfterItWasSent) {
    WrittenProgram program(2, early_message);
    Synced synced(*program);
    EXPECT_EQ(synced.report.before.messages, 1U);
    EXPECT_EQ(synced.report.before.early_messages, 1U);
    EXPECT_EQ(synced.report.after.early_messages, 0U);
    EXPECT_TRUE(synced.report.after.agrees);
    const u64 sent = synced.time(0, EventType::MpiSend);
    EXPECT_EQ(synced.time(1, EventType::MpiRecv), sent + 1);
    EXPECT_EQ(synced.report.distortion.largest_move, 9'001U);
    // A clock that has jumped goes on a little slower, until it is right again.
    EXPECT_EQ(synced.time(1, EventType::MpiCollectiveEnd, 2), sent + 1 + 300 - 3);
}

TEST(SyncClocksTest, TheLeastLatencyIsKept) {
    WrittenProgram program(2, early_message);
    Synced synced(*program, 5e-6);
    EXPECT_EQ(synced.report.latency, 5'000U);
    const u64 sent = synced.time(0, EventType::MpiSend);
    EXPECT_EQ(synced.time(1, EventType::MpiRecv), sent + 5'000);
}

TEST(SyncClocksTest, ABarrierEndsAfterTheLastOneCame) {
    WrittenProgram program(3, [](EventRecorder& recorder, u64 rank) {
        recorder.compute(rank == 1 ? 7'000 : 1'000);
        recorder.collective("MPI_Barrier", EventRecorder::kBarrier);
    });
    Synced synced(*program);
    EXPECT_GE(synced.report.before.early_collectives, 1U);
    EXPECT_EQ(synced.report.after.early_collectives, 0U);
    const u64 last = synced.time(1, EventType::MpiCollectiveBegin, 2);
    EXPECT_EQ(synced.time(0, EventType::MpiCollectiveEnd, 2), last + 1);
}

TEST(SyncClocksTest, InABroadcastOnlyTheRootMustHaveCome) {
    const auto body = [](u64 root) {
        return [root](EventRecorder& recorder, u64 rank) {
            recorder.compute(rank == 1 ? 7'000 : 1'000);
            recorder.collective("MPI_Bcast", EventRecorder::kBcast, 8, 8, 0, root);
            recorder.compute(rank == 1 ? 1'000 : 7'000);
        };
    };
    WrittenProgram late_member(3, body(0));
    EXPECT_EQ(Synced(*late_member).report.before.early_collectives, 0U);
    WrittenProgram late_root(3, body(1));
    EXPECT_EQ(Synced(*late_root).report.before.early_collectives, 1U);
}

TEST(SyncClocksTest, WhoHasNothingToSendIsNotWaitedFor) {
    const auto body = [](u64 sent) {
        return [sent](EventRecorder& recorder, u64 rank) {
            recorder.compute(rank == 1 ? 7'000 : 1'000);
            recorder.collective("MPI_Allgatherv", static_cast<u64>(CollectiveKind::allgatherv),
                                rank == 1 ? sent : 8, 8);
            recorder.compute(rank == 1 ? 1'000 : 7'000);
        };
    };
    WrittenProgram silent(3, body(0));
    EXPECT_EQ(Synced(*silent).report.before.early_collectives, 0U);
    WrittenProgram late(3, body(8));
    EXPECT_EQ(Synced(*late).report.before.early_collectives, 1U);
}

TEST(SyncClocksTest, ClocksThatAgreeAreLeftAlone) {
    WrittenProgram program(2, [](EventRecorder& recorder, u64 rank) {
        recorder.compute(1'000);
        if (rank == 0) {
            recorder.send(1, 7, 64, 500);
        } else {
            recorder.receive(0, 7, 64, 500);
        }
    });
    const Synced synced(*program);
    EXPECT_TRUE(synced.report.before.agrees);
    EXPECT_EQ(synced.report.distortion.moved, 0U);
    EXPECT_EQ(synced.report.corners, 0U);
}

/// Rank 1 exposes its window from 1,500 to 4,000 by its clock, rank 0 accesses it from 1,000 to
/// 1,200 by its own.
class EarlyEpoch {
  public:
    EarlyEpoch() : trace_({.ranks = 2, .windows = true}) {
        for (const u32 rank : {0U, 1U}) call(rank, 0, 100, "MPI_Init");
        sync(0, 1'000, 1'000, "MPI_Win_start");
        sync(0, 1'100, 1'200, "MPI_Win_complete");
        sync(1, 1'500, 1'600, "MPI_Win_post");
        sync(1, 3'900, 4'000, "MPI_Win_wait");
        for (const u32 rank : {0U, 1U}) call(rank, 9'000, 9'100, "MPI_Finalize");
        trace_.fold((directory_ / "trace.tfold").string());
        file_ = std::make_unique<TraceFile>((directory_ / "trace.tfold").string());
    }

    TraceFile& operator*() { return *file_; }

  private:
    void call(u32 rank, u64 begin, u64 end, const std::string& function,
              const std::vector<testing::MadeTrace::Event>& events = {}) {
        trace_.timed_call(rank, begin, end, function, events);
    }
    void sync(u32 rank, u64 begin, u64 end, const std::string& function) {
        constexpr u64 kProcess = 1;
        constexpr u64 kWindow = 0;
        const u64 group = testing::MadeTrace::kFirstAlone + (1 - rank);
        call(rank, begin, end, function, {{EventType::RmaGroupSync, {kProcess, kWindow, group}}});
    }

    TestDirectory directory_;
    testing::MadeTrace trace_;
    std::unique_ptr<TraceFile> file_;
};

TEST(SyncClocksTest, AnEpochEndsAfterTheWindowWasExposed) {
    EarlyEpoch epoch;
    Synced synced(*epoch);
    EXPECT_EQ(synced.report.before.messages, 2U);
    EXPECT_EQ(synced.report.before.early_messages, 1U);
    EXPECT_EQ(synced.report.after.early_messages, 0U);
    EXPECT_TRUE(synced.report.after.agrees);
    // MPI_Win_complete is the third call.
    EXPECT_EQ(synced.time(0, EventType::Leave, 2), 1'501U);
    EXPECT_EQ(synced.time(1, EventType::Leave, 2), 4'000U);
}

TEST(SyncClocksTest, AWindowIsNotGivenBackBeforeTheLastAccess) {
    EarlyEpoch epoch;
    Synced synced(*epoch, 5e-6);
    // Both wait a least latency, 5,000 ticks, for what they need: the accesses for the exposure at
    // 1,500, the owner for their end.
    const u64 completed = synced.time(0, EventType::Enter, 2);
    EXPECT_EQ(synced.time(0, EventType::Leave, 2), 6'500U);
    EXPECT_GE(synced.time(1, EventType::Leave, 2), completed + 5'000);
}

TEST(SyncClocksTest, SamplesAreInOrderAfterwards) {
    for (const char* name : {"micro-user-4", "npb-lu.S-4", "micro-anysrc-4", "micro-rma-4",
                             "micro-stencil2d9p-isend-4", "tau-colls-4", "micro-omphyb-4"}) {
        SampleFile file(name, TimingLevel::exact);
        Synced synced(*file);
        EXPECT_EQ(synced.report.after.early_messages, 0U) << name;
        EXPECT_EQ(synced.report.after.early_collectives, 0U) << name;
        // By its own times, without any offsets, the new trace has nothing to be corrected.
        const Synced again(*synced);
        EXPECT_TRUE(again.report.before.agrees) << name;
        EXPECT_EQ(again.report.before.messages, synced.report.before.messages) << name;
    }
}

TEST(SyncClocksTest, FilesWithoutTheTimeOfEveryRecordAreRefused) {
    SampleFile file("micro-user-4", TimingLevel::histogram);
    const TestDirectory directory;
    const SyncOutput output{(directory / "synced.tfold").string(), 1, false, 0, {}};
    EXPECT_THROW(sync_clocks(*file, output), Error);
}

}  // namespace
}  // namespace tracefold
