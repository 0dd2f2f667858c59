// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/detail/wait_iteration.hpp"

#include "mpi/check.hpp"
#include "mpi/mpi_call_reader.hpp"
#include "support/sample_file.hpp"
#include "support/written_program.hpp"

#include <gtest/gtest.h>

// Iterations that are left out when messages are matched must come to the same as those that are
// walked one by one.
namespace tracefold {
namespace {

/// Lets an analysis look on, and leave out iterations or not.
class Onlooker final : public MatchingObserver {
  public:
    Onlooker(WaitAnalysis& analysis, bool follows) : analysis_(analysis), follows_(follows) {}

    void began(u32 walker, const MpiCall& call) override {
        ++calls;
        analysis_.began(walker, call);
    }
    void ended(u32 walker, const MpiCall& call) override { analysis_.ended(walker, call); }
    void matched(CallPlace sender, CallPlace receiver) override {
        analysis_.matched(sender, receiver);
    }
    void completed(CallPlace receiver, CallPlace completion) override {
        analysis_.completed(receiver, completion);
    }
    void matched_collective(const CollectiveInstances::Context& context,
                            const CollectiveInstances::Instance& instance) override {
        analysis_.matched_collective(context, instance);
    }
    void completed_collective(CallPlace post, CallPlace completion) override {
        analysis_.completed_collective(post, completion);
    }
    void synchronised(CallPlace waiting, CallPlace partner) override {
        analysis_.synchronised(waiting, partner);
    }
    [[nodiscard]] bool follows_iterations() const override { return follows_; }
    void begin_iteration(const std::vector<std::size_t>& of_each) override {
        analysis_.begin_iteration(of_each);
    }
    bool end_iteration() override { return analysis_.end_iteration(); }
    void repeat(const std::vector<IterationSource*>& sources, u64 times) override {
        left_out += times;
        analysis_.repeat(sources, times);
    }

    u64 calls = 0;
    u64 left_out = 0;  ///< iterations

  private:
    WaitAnalysis& analysis_;
    bool follows_;
};

/// What an analysis finds.
struct Found {
    Found(TraceFile& file, bool follows, u32 threads) {
        std::vector<WaitAnalysis::Thread> callers;
        for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
            for (const u32 location : mpi_locations(file, rank))
                callers.push_back({rank, location});
        }
        WaitAnalysis analysis(file, callers);
        Onlooker onlooker(analysis, follows);
        check = check_replay(file, onlooker, Times::read, threads);
        analysis.finish();
        times = analysis.times();
        waits = analysis.waits();
        early = analysis.early_messages();
        left_out = onlooker.left_out;
        walked = onlooker.calls;
    }

    CheckResult check;
    std::vector<RankEfficiency> times;
    std::map<WaitAnalysis::Place, WaitAnalysis::Wait> waits;
    u64 early = 0;
    u64 left_out = 0;
    u64 walked = 0;  ///< calls
};

/// Iterations that were left out.
u64 expect_the_same(TraceFile& file) {
    const Found one_by_one(file, false, 1);
    EXPECT_EQ(one_by_one.left_out, 0U);
    u64 left_out = 0;
    for (const u32 threads : {1U, 2U, 4U}) {
        const Found followed(file, true, threads);
        EXPECT_EQ(followed.times, one_by_one.times) << threads;
        EXPECT_EQ(followed.waits, one_by_one.waits) << threads;
        EXPECT_EQ(followed.early, one_by_one.early) << threads;
        EXPECT_EQ(followed.check.calls, one_by_one.check.calls) << threads;
        EXPECT_EQ(followed.check.messages, one_by_one.check.messages) << threads;
        EXPECT_EQ(followed.check.bytes, one_by_one.check.bytes) << threads;
        EXPECT_EQ(followed.check.collectives, one_by_one.check.collectives) << threads;
        EXPECT_EQ(followed.check.findings.size(), one_by_one.check.findings.size()) << threads;
        EXPECT_EQ(followed.left_out, threads == 1 ? followed.left_out : left_out) << threads;
        EXPECT_TRUE(followed.left_out == 0 || followed.walked < one_by_one.walked * 3 / 4);
        left_out = followed.left_out;
    }
    return left_out;
}

/// Never the same twice.
u64 work(u64 rank, u64 step) { return (rank * 7919 + step * 104729) % 1013; }

constexpr u64 kRanks = 4;

/// Around a ring, and then all together.
void exchange(EventRecorder& recorder, u64 rank, u64 step) {
    recorder.compute(work(rank, step));
    const u64 receive = recorder.irecv();
    const u64 send = recorder.isend((rank + 1) % kRanks, 7, 64);
    recorder.compute(work(step, rank));
    recorder.enter("MPI_Waitall");
    recorder.received((rank + kRanks - 1) % kRanks, 7, 64, receive);
    recorder.sent(send);
    recorder.leave();
}

TEST(WaitIterationTest, AnExchangeWithACollectiveIsLeftOut) {
    WrittenProgram program(kRanks, [](EventRecorder& recorder, u64 rank) {
        for (u64 step = 0; step < 400; ++step) {
            exchange(recorder, rank, step);
            recorder.collective("MPI_Allreduce", EventRecorder::kAllreduce, 8, 8, work(step, rank));
        }
    });
    EXPECT_GT(expect_the_same(*program), 300U);
}

TEST(WaitIterationTest, LoopsWithinLoopsAreLeftOut) {
    WrittenProgram program(kRanks, [](EventRecorder& recorder, u64 rank) {
        for (u64 step = 0; step < 100; ++step) {
            for (u64 i = 0; i < 20; ++i) exchange(recorder, rank, step * 20 + i);
            recorder.collective("MPI_Bcast", EventRecorder::kBcast, 8, 8, 0, 1);
        }
    });
    EXPECT_GT(expect_the_same(*program), 50U);
}

/// As in a solver with sweeps: ranks have different loops, which begin at different places.
TEST(WaitIterationTest, SweepsThatBeginAtDifferentPlacesAreLeftOut) {
    WrittenProgram program(kRanks, [](EventRecorder& recorder, u64 rank) {
        for (u64 i = 0; i < rank; ++i) recorder.compute(100);
        for (u64 step = 0; step < 3000; ++step) {
            if (rank > 0) recorder.receive(rank - 1, 1, 8, work(rank, step));
            recorder.compute(work(rank, step));
            if (rank + 1 < kRanks) recorder.send(rank + 1, 1, 8, work(step, rank));
            if (rank + 1 < kRanks) recorder.receive(rank + 1, 2, 16);
            if (rank > 0) recorder.send(rank - 1, 2, 16, work(step, step));
            // Where loops were found later, they begin later.
            if (step == 0 && rank == 2) recorder.send(rank, 3, 8);
            if (step == 0 && rank == 2) recorder.receive(rank, 3, 8);
        }
    });
    EXPECT_GT(expect_the_same(*program), 1000U);
}

TEST(WaitIterationTest, WhereAMessageIsAlwaysOutstandingNothingIsLeftOut) {
    WrittenProgram program(kRanks, [](EventRecorder& recorder, u64 rank) {
        const u64 right = (rank + 1) % kRanks;
        const u64 left = (rank + kRanks - 1) % kRanks;
        recorder.send(right, 7, 8);
        for (u64 step = 0; step < 400; ++step) {
            recorder.send(right, 7, 8, work(rank, step));
            recorder.receive(left, 7, 8, work(step, rank));
            recorder.collective("MPI_Barrier", EventRecorder::kBarrier);
        }
        recorder.receive(left, 7, 8);
    });
    EXPECT_EQ(expect_the_same(*program), 0U);
}

/// Findings that come again in every iteration are counted as often.
TEST(WaitIterationTest, WhatIsFoundInEveryIterationIsCounted) {
    WrittenProgram program(kRanks, [](EventRecorder& recorder, u64 rank) {
        for (u64 step = 0; step < 400; ++step) {
            exchange(recorder, rank, step);
            // Less is received than was sent.
            recorder.collective("MPI_Allreduce", EventRecorder::kAllreduce, 16, 8);
        }
    });
    EXPECT_GT(expect_the_same(*program), 300U);
    const Found all(*program, false, 1);
    const Found followed(*program, true, 1);
    ASSERT_EQ(followed.check.findings.size(), 1U);
    EXPECT_EQ(followed.check.findings[0].count, all.check.findings[0].count);
    EXPECT_EQ(followed.check.findings[0].examples, all.check.findings[0].examples);
}

TEST(WaitIterationTest, SamplesComeToTheSame) {
    u64 left_out = 0;
    for (const char* name : {"npb-lu.S-4", "micro-stencil2d9p-isend-4", "micro-user-4",
                             "micro-pcoll-4", "micro-rma-4", "micro-anysrc-4", "tau-colls-4"}) {
        SCOPED_TRACE(name);
        SampleFile file(name, TimingLevel::exact);
        left_out += expect_the_same(*file);
    }
    EXPECT_GT(left_out, 0U);
}

}  // namespace
}  // namespace tracefold
