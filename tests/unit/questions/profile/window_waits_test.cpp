// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/detail/window_waits.hpp"

#include "file/trace_file.hpp"
#include "questions/profile/detail/efficiency.hpp"
#include "support/made_trace.hpp"
#include "support/test_directory.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using testing::MadeTrace;

constexpr u64 kWindow = 0;
constexpr u64 kProcess = 1;  ///< what a call synchronises
constexpr u64 kNobody = 0;
constexpr u64 kExclusive = 0;
constexpr u64 kShared = 1;

/// Efficiency of a program with a window that is written down call by call, with all times: from
/// MPI_Init, which ends at 100, to MPI_Finalize, which begins at 9000.
class WindowProgram {
  public:
    explicit WindowProgram(u32 ranks) : trace_({.ranks = ranks, .windows = true}), ranks_(ranks) {
        for (u32 rank = 0; rank < ranks; ++rank) call(rank, 0, 100, "MPI_Init");
    }

    void call(u32 rank, u64 begin, u64 end, const std::string& function,
              const std::vector<MadeTrace::Event>& events = {}) {
        trace_.timed_call(rank, begin, end, function, events);
    }

    /// MPI_Win_post and its kin, for the window of one other rank.
    void epoch(u32 rank, u64 begin, u64 end, const std::string& function, u32 partner,
               u64 level = kProcess) {
        call(rank, begin, end, function,
             {{EventType::RmaGroupSync, {level, kWindow, MadeTrace::kFirstAlone + partner}}});
    }
    void put(u32 rank, u64 begin, u64 end, u32 target) {
        call(rank, begin, end, "MPI_Put", {{EventType::RmaPut, {kWindow, target, 8, ++puts_}}});
    }
    void fence(u32 rank, u64 begin, u64 end) {
        call(rank, begin, end, "MPI_Win_fence",
             {{EventType::RmaCollectiveBegin, {}},
              {EventType::RmaCollectiveEnd, {0, 3, kWindow, 0xFFFFFFFF, 0, 0}}});
    }
    void lock(u32 rank, u64 begin, u64 end, u32 target, u64 type) {
        call(rank, begin, end, "MPI_Win_lock",
             {{EventType::RmaRequestLock, {kWindow, target, 0, type}}});
    }
    void unlock(u32 rank, u64 begin, u64 end, u32 target) {
        call(rank, begin, end, "MPI_Win_unlock",
             {{EventType::RmaReleaseLock, {kWindow, target, 0}}});
    }

    /// After the last call.
    void run() {
        for (u32 rank = 0; rank < ranks_; ++rank) call(rank, 9'000, 9'100, "MPI_Finalize");
        const std::string path = (directory_ / "window.tfold").string();
        trace_.fold(path);
        TraceFile file(path);
        result = trace_efficiency(file);
    }

    /// Ticks that a rank waited in a call; 0 if it did not.
    [[nodiscard]] u64 wait(u32 rank, WaitKind kind, const std::string& call) const {
        u64 ticks = 0;
        for (const Efficiency::Wait& wait : result.waits) {
            const bool is_it = wait.rank == rank && wait.kind == kind && wait.path == call;
            if (is_it) ticks += wait.ticks;
        }
        return ticks;
    }

    Efficiency result;

  private:
    MadeTrace trace_;
    TestDirectory directory_;
    u32 ranks_;
    u64 puts_ = 0;
};

TEST(WindowWaitsTest, AnAccessWaitsForALatePost) {
    WindowProgram program(2);
    program.epoch(0, 1'000, 1'100, "MPI_Win_start", 1);  // does not wait
    program.put(0, 1'200, 2'600, 1);                     // from 1200 to 2500
    program.epoch(0, 2'700, 2'800, "MPI_Win_complete", 1);
    program.epoch(1, 2'500, 2'510, "MPI_Win_post", 0);
    program.epoch(1, 2'520, 3'000, "MPI_Win_wait", 0);  // from 2520 to 2700
    program.run();
    EXPECT_EQ(program.wait(0, WaitKind::late_post, "MPI_Put"), 1'300U);
    EXPECT_EQ(program.wait(1, WaitKind::late_complete, "MPI_Win_wait"), 180U);
    EXPECT_EQ(program.result.waits.size(), 2U);
    // Computation of rank 0: 900, 100, 100 and then 6200; of rank 1: 2400, 10 and then 6000. On an
    // ideal network rank 0 comes to MPI_Win_complete at 1100 and waits for the post at 2400.
    EXPECT_EQ(program.result.ranks[0].computation, 7'300U);
    EXPECT_EQ(program.result.ranks[0].ideal.most, 2'400U + 6'200);
    EXPECT_EQ(program.result.ranks[1].ideal.most, 2'410U + 6'000);
    EXPECT_EQ(program.result.ideal_runtime, (IdealTime{8'600, 8'600}));
    ASSERT_TRUE(program.result.serialisation.has_value());
    EXPECT_DOUBLE_EQ(*program.result.serialisation, 8'410.0 / 8'600);
}

TEST(WindowWaitsTest, StartOrCompleteMayBeWhatWaitsForThePost) {
    WindowProgram program(3);
    program.epoch(0, 1'000, 2'050, "MPI_Win_start", 1);
    program.epoch(0, 2'100, 2'200, "MPI_Win_complete", 1);
    program.epoch(1, 2'000, 2'010, "MPI_Win_post", 0);
    program.epoch(1, 2'150, 2'300, "MPI_Win_wait", 0);
    program.epoch(2, 100, 110, "MPI_Win_post", 1);
    program.epoch(1, 3'000, 3'010, "MPI_Win_start", 2);
    program.epoch(1, 3'020, 3'030, "MPI_Win_complete", 2);
    // Polled for: only the last test, which came after the end of the accesses, is one that could.
    program.epoch(2, 200, 210, "MPI_Win_test", 1, kNobody);
    program.epoch(2, 3'100, 3'110, "MPI_Win_test", 1);
    program.run();
    EXPECT_EQ(program.wait(0, WaitKind::late_post, "MPI_Win_start"), 1'000U);
    EXPECT_EQ(program.result.waits.size(), 1U);
    EXPECT_TRUE(program.result.serialisation.has_value());
}

TEST(WindowWaitsTest, EpochsMeetInTheirOrder) {
    WindowProgram program(2);
    for (const u64 begin : {1'000, 2'000}) {
        program.epoch(0, begin, begin + 10, "MPI_Win_start", 1);
        program.epoch(0, begin + 20, begin + 520, "MPI_Win_complete", 1);
        program.epoch(1, begin + 220, begin + 230, "MPI_Win_post", 0);
        program.epoch(1, begin + 240, begin + 600, "MPI_Win_wait", 0);
    }
    program.run();
    EXPECT_EQ(program.wait(0, WaitKind::late_post, "MPI_Win_complete"), 400U);
    EXPECT_EQ(program.result.waits.size(), 1U);
}

TEST(WindowWaitsTest, AnEpochWithoutPartnerIsNoBasisForAnIdealNetwork) {
    WindowProgram program(2);
    program.epoch(0, 1'000, 1'010, "MPI_Win_start", 1);
    program.epoch(0, 1'020, 1'030, "MPI_Win_complete", 1);
    program.run();
    EXPECT_FALSE(program.result.serialisation.has_value());
    EXPECT_FALSE(program.result.why_not_split.empty());
}

TEST(WindowWaitsTest, AFenceWaitsForTheLastOneUnlessItEndedBefore) {
    WindowProgram program(2);
    program.fence(0, 1'000, 3'050);
    program.fence(1, 3'000, 3'050);
    program.fence(0, 4'000, 4'010);  // with an assertion that lets it pass
    program.fence(1, 5'000, 5'010);
    program.run();
    EXPECT_EQ(program.wait(0, WaitKind::fence, "MPI_Win_fence"), 2'000U);
    EXPECT_EQ(program.result.waits.size(), 1U);
    // Rank 0 computes 900, 950 and 4990, rank 1 2900, 1950 and 3990; the first fence ends at 2900.
    EXPECT_EQ(program.result.ranks[0].ideal.most, 2'900U + 950 + 4'990);
    EXPECT_EQ(program.result.ranks[1].ideal.most, 2'900U + 1'950 + 3'990);
}

TEST(WindowWaitsTest, AnExclusiveLockMakesOthersWaitForItsRelease) {
    WindowProgram program(3);
    program.lock(0, 1'000, 1'010, 2, kExclusive);
    program.put(0, 1'100, 1'110, 2);
    program.unlock(0, 2'000, 2'050, 2);
    program.lock(1, 1'500, 1'510, 2, kExclusive);  // returns at once
    program.put(1, 1'520, 1'530, 2);
    program.unlock(1, 1'600, 2'300, 2);  // from 1600 to 2000
    program.run();
    EXPECT_EQ(program.wait(1, WaitKind::late_unlock, "MPI_Win_unlock"), 400U);
    EXPECT_EQ(program.result.waits.size(), 1U);
    EXPECT_FALSE(program.result.serialisation.has_value());
}

TEST(WindowWaitsTest, WhoCanShareALockOrHasAnotherOneDoesNotWait) {
    WindowProgram program(3);
    for (const u32 rank : {0U, 1U}) {
        program.lock(rank, 1'000 + 100 * rank, 1'010 + 100 * rank, 2, kShared);
        program.unlock(rank, 2'000 + 100 * rank, 2'300 + 100 * rank, 2);
        program.lock(rank, 3'000 + 100 * rank, 3'010 + 100 * rank, rank, kExclusive);
        program.unlock(rank, 4'000 + 100 * rank, 4'300 + 100 * rank, rank);
    }
    program.run();
    EXPECT_TRUE(program.result.waits.empty());
    EXPECT_TRUE(program.result.serialisation.has_value());
}

/// However often what has passed is looked at, the same waits are found.
TEST(WindowWaitsTest, LocksMayBeLookedAtInPieces) {
    const auto run = [](u64 step) {
        u64 waited = 0;
        WindowLocks locks(
            [&waited](const WindowCall& call, u64 until) { waited += until - call.begin; });
        // Ranks 0 and 1 in turn hold the lock for 80 ticks and ask for it 50 ticks too early.
        for (u64 i = 0; i < 40; ++i) {
            const auto rank = static_cast<u32>(i % 2);
            const u64 got = 1'000 + 100 * i;
            locks.request(0, 3, true, {got - 50, got, 1, rank, 3, true});
            locks.release(0, 3, {got + 80, got + 85, 1, rank, 3, true});
            if (i % step == 0) locks.settle(got);
        }
        locks.settle(~u64{0});
        return waited;
    };
    // All but the first wait from 50 ticks before until 20 ticks before they get it.
    EXPECT_EQ(run(1'000), 39U * 30);
    EXPECT_EQ(run(1), 39U * 30);
    EXPECT_EQ(run(7), 39U * 30);
}

}  // namespace
}  // namespace tracefold
