// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/detail/wait_analysis.hpp"

#include "mpi/check.hpp"
#include "questions/profile/trace_profile.hpp"
#include "support/made_trace.hpp"
#include "support/test_directory.hpp"

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using testing::MadeTrace;

constexpr u64 kWorld = 0;
constexpr u64 kNoRoot = 0xFFFFFFFF;
constexpr u64 kTag = 7;
constexpr u64 kBytes = 8;
constexpr u64 kLarge = 1'000'000;

/// A wait by the names of its call path and kind, and the rank.
struct NamedWait {
    std::string path;
    u32 rank = 0;
    WaitKind kind{};

    auto operator<=>(const NamedWait&) const = default;
};
using Waits = std::map<NamedWait, std::pair<u64, u64>>;  ///< calls that waited, ticks

/// A program whose calls have times of their own, from MPI_Init, which ends at 100, to
/// MPI_Finalize, which begins at 9000.
class TimedProgram {
  public:
    explicit TimedProgram(u32 ranks) : trace_({.ranks = ranks}), ranks_(ranks) {
        for (u32 rank = 0; rank < ranks; ++rank) call(rank, 0, 100, "MPI_Init");
    }

    void call(u32 rank, u64 begin, u64 end, const std::string& function,
              const std::vector<MadeTrace::Event>& events = {}) {
        trace_.timed_call(rank, begin, end, function, events);
    }
    void send(u32 rank, u64 begin, u64 end, u32 to, const std::string& function = "MPI_Send",
              u64 bytes = kBytes) {
        call(rank, begin, end, function, {{EventType::MpiSend, {to, kWorld, kTag, bytes}}});
    }
    void receive(u32 rank, u64 begin, u64 end, u32 from, u64 bytes = kBytes) {
        call(rank, begin, end, "MPI_Recv", {{EventType::MpiRecv, {from, kWorld, kTag, bytes}}});
    }
    void collective(u32 rank, u64 begin, u64 end, const std::string& function, CollectiveKind kind,
                    u64 root = kNoRoot) {
        call(rank, begin, end, function,
             {{EventType::MpiCollectiveBegin, {}},
              {EventType::MpiCollectiveEnd, {static_cast<u64>(kind), kWorld, root, 8, 8}}});
    }

    /// After the last call.
    void run() {
        for (u32 rank = 0; rank < ranks_; ++rank) call(rank, 9'000, 9'100, "MPI_Finalize");
        const std::string path = (directory_ / "program.tfold").string();
        trace_.fold(path);
        TraceFile file(path);
        std::vector<WaitAnalysis::Thread> threads;
        for (u32 rank = 0; rank < ranks_; ++rank) threads.push_back({rank, rank});
        WaitAnalysis analysis(file, threads);
        check_replay(file, analysis, Times::read);
        analysis.finish();
        times = analysis.times();
        early = analysis.early_messages();
        for (const auto& [place, wait] : analysis.waits()) {
            const std::string path_text = path_of(file.definitions(), analysis.tree(), place.node);
            waits[{path_text, place.thread, place.kind}] = {wait.count, wait.ticks};
        }
    }

    std::vector<RankEfficiency> times;
    Waits waits;
    u64 early = 0;

  private:
    MadeTrace trace_;
    TestDirectory directory_;
    u32 ranks_;
};

TEST(WaitAnalysisTest, AReceiveWaitsUntilItsMessageIsSent) {
    TimedProgram program(2);
    program.receive(1, 200, 3'100, 0);
    program.send(0, 1'000, 3'000, 1);
    program.run();
    EXPECT_EQ(program.waits, (Waits{{{"MPI_Recv", 1, WaitKind::late_sender}, {1, 800}}}));
    ASSERT_EQ(program.times.size(), 2U);
    const RankEfficiency& sender = program.times[0];
    EXPECT_EQ(sender.begin, 100U);
    EXPECT_EQ(sender.end, 9'000U);
    EXPECT_EQ(sender.computation, 900U + 6'000);
    EXPECT_EQ(sender.mpi, 2'000U);
    // On the ideal network a send takes no time.
    EXPECT_EQ(sender.ideal.most, 900U + 6'000);
    const RankEfficiency& receiver = program.times[1];
    EXPECT_EQ(receiver.computation, 100U + 5'900);
    EXPECT_EQ(receiver.mpi, 2'900U);
    EXPECT_EQ(receiver.waits[0], 800U);
    // Ready to receive after 100 ticks, it gets the message after the 900 of the sender.
    EXPECT_EQ(receiver.ideal.most, 900U + 5'900);
    EXPECT_EQ(program.early, 0U);
}

TEST(WaitAnalysisTest, ABlockingSendWaitsForItsReceive) {
    TimedProgram program(2);
    program.send(0, 500, 2'050, 1, "MPI_Send", kLarge);
    program.receive(1, 2'000, 2'100, 0, kLarge);
    // This one has left before its receive is posted.
    program.send(0, 3'000, 3'100, 1);
    program.receive(1, 4'000, 4'100, 0);
    // A buffered send waits for nobody.
    program.send(0, 5'000, 6'500, 1, "MPI_Bsend");
    program.receive(1, 6'000, 6'600, 0);
    program.run();
    EXPECT_EQ(program.waits, (Waits{{{"MPI_Send", 0, WaitKind::late_receiver}, {1, 1'500}}}));
}

TEST(WaitAnalysisTest, MessagesOfASizeThatWasBufferedWaitForNoReceiver) {
    TimedProgram program(2);
    program.send(0, 500, 2'050, 1);
    program.receive(1, 2'000, 2'100, 0);
    program.send(0, 3'000, 3'100, 1);  // before its receive is posted
    program.receive(1, 4'000, 4'100, 0);
    program.run();
    EXPECT_EQ(program.waits, Waits());
}

/// A completion of a large message and of one whose size was buffered before.
TEST(WaitAnalysisTest, ACompletionWaitsForReceiversOfItsLargeMessagesOnly) {
    TimedProgram program(2);
    program.send(0, 200, 300, 1);  // buffered
    program.receive(1, 400, 500, 0);
    program.call(0, 1'000, 1'010, "MPI_Isend",
                 {{EventType::MpiIsend, {1, kWorld, kTag, kLarge, 1}}});
    program.call(0, 1'020, 1'030, "MPI_Isend",
                 {{EventType::MpiIsend, {1, kWorld, kTag, kBytes, 2}}});
    program.call(0, 1'100, 3'000, "MPI_Waitall",
                 {{EventType::MpiIsendComplete, {1}}, {EventType::MpiIsendComplete, {2}}});
    program.receive(1, 1'700, 1'800, 0, kLarge);
    program.receive(1, 2'900, 2'950, 0);
    program.run();
    EXPECT_EQ(program.waits, (Waits{{{"MPI_Waitall", 0, WaitKind::late_receiver}, {1, 600}}}));
}

TEST(WaitAnalysisTest, SendrecvWaitsForTheReceiverOfItsMessage) {
    TimedProgram program(2);
    program.call(0, 200, 5'050, "MPI_Sendrecv",
                 {{EventType::MpiSend, {1, kWorld, kTag, kLarge}},
                  {EventType::MpiRecv, {1, kWorld, kTag, kBytes}}});
    program.send(1, 2'000, 2'010, 0);
    program.receive(1, 5'000, 5'100, 0, kLarge);
    program.run();
    // No moment counts twice.
    EXPECT_EQ(program.waits, (Waits{{{"MPI_Sendrecv", 0, WaitKind::late_sender}, {1, 1'800}},
                                    {{"MPI_Sendrecv", 0, WaitKind::late_receiver}, {1, 3'000}}}));
}

TEST(WaitAnalysisTest, TheCompletionOfASendWaitsForItsReceiver) {
    TimedProgram program(2);
    for (u64 step = 0; step < 3; ++step) {
        const u64 begin = 200 + 2'000 * step;
        program.call(0, begin, begin + 10, "MPI_Isend",
                     {{EventType::MpiIsend, {1, kWorld, kTag, kLarge, step}}});
        program.call(0, begin + 100, begin + 1'000, "MPI_Wait",
                     {{EventType::MpiIsendComplete, {step}}});
        program.receive(1, begin + 800, begin + 1'000, 0, kLarge);
    }
    program.run();
    EXPECT_EQ(program.waits, (Waits{{{"MPI_Wait", 0, WaitKind::late_receiver}, {3, 3 * 700}}}));
}

TEST(WaitAnalysisTest, ALateSenderIsInWrongOrderIfAnEarlierMessageIsReceivedLater) {
    TimedProgram program(3);
    program.send(0, 300, 310, 1);
    program.send(2, 900, 910, 1);
    program.send(2, 2'500, 2'510, 1);
    program.receive(1, 200, 1'000, 2);    // waits until 900
    program.receive(1, 1'100, 1'200, 0);  // sent at 300
    program.receive(1, 2'000, 2'600, 2);  // waits until 2500; nothing was sent before
    program.run();
    EXPECT_EQ(program.waits, (Waits{{{"MPI_Recv", 1, WaitKind::late_sender}, {2, 700 + 500}},
                                    {{"MPI_Recv", 1, WaitKind::wrong_order}, {1, 700}}}));
    EXPECT_EQ(program.times[1].other_mpi(), program.times[1].mpi - 700 - 500);
}

TEST(WaitAnalysisTest, AProbeWithoutRecordWaitsForTheMessageReceivedNext) {
    TimedProgram program(2);
    for (u64 step = 0; step < 3; ++step) {
        const u64 begin = 200 + 2'000 * step;
        program.call(1, begin, begin + 1'010, "MPI_Probe");
        program.receive(1, begin + 1'100, begin + 1'200, 0);
        program.send(0, begin + 1'000, begin + 1'005, 1);
    }
    program.run();
    EXPECT_EQ(program.waits, (Waits{{{"MPI_Probe", 1, WaitKind::late_sender}, {3, 3 * 1'000}}}));
}

TEST(WaitAnalysisTest, TimeBetweenUnsuccessfulPollsIsPolling) {
    TimedProgram program(2);
    program.call(0, 200, 210, "MPI_Iprobe");
    program.call(0, 1'000, 1'010, "MPI_Iprobe");
    program.receive(0, 1'020, 1'030, 1);
    program.send(1, 300, 310, 0);
    program.run();
    EXPECT_EQ(program.times[0].polling, 790U);
    EXPECT_EQ(program.times[1].polling, 0U);
}

TEST(WaitAnalysisTest, TheCallThatCompletesAReceiveWaits) {
    TimedProgram program(2);
    for (u64 step = 0; step < 2; ++step) {
        const u64 begin = 1'000 + 3'000 * step;
        program.call(1, begin, begin + 10, "MPI_Irecv", {{EventType::MpiIrecvRequest, {step}}});
        program.call(1, begin + 500, begin + 1'500, "MPI_Wait",
                     {{EventType::MpiIrecv, {0, kWorld, kTag, kBytes, step}}});
        // Sent 400 ticks after the wait began, then 100.
        program.send(0, begin + 900 - 300 * step, begin + 950, 1);
    }
    program.run();
    EXPECT_EQ(program.waits, (Waits{{{"MPI_Wait", 1, WaitKind::late_sender}, {2, 400 + 100}}}));
    // 900, 490, 1500, 490 and 3500 between its five calls.
    EXPECT_EQ(program.times[1].computation, 900U + 490 + 1'500 + 490 + 3'500);
    EXPECT_EQ(program.times[1].mpi, 2U * (10 + 1'000));
}

TEST(WaitAnalysisTest, AMessageThatIsReceivedBeforeItIsSentIsEarly) {
    TimedProgram program(2);
    program.receive(1, 500, 1'500, 0);
    program.send(0, 2'000, 2'100, 1);
    program.run();
    EXPECT_EQ(program.early, 1U);
    // No wait is longer than its call.
    EXPECT_EQ(program.waits, (Waits{{{"MPI_Recv", 1, WaitKind::late_sender}, {1, 1'000}}}));
}

TEST(WaitAnalysisTest, MembersOfACollectiveWaitForThoseThatTheyNeed) {
    TimedProgram program(3);
    const std::vector<u64> begins = {1'000, 1'400, 2'000};
    for (u32 rank = 0; rank < 3; ++rank) {
        program.collective(rank, begins[rank], 2'100, "MPI_Barrier", CollectiveKind::barrier);
    }
    // Rank 1 is the root; rank 0 waits for it, rank 2 comes after it.
    program.collective(0, 2'500, 3'100, "MPI_Bcast", CollectiveKind::bcast, 1);
    program.collective(1, 3'000, 3'050, "MPI_Bcast", CollectiveKind::bcast, 1);
    program.collective(2, 3'200, 3'300, "MPI_Bcast", CollectiveKind::bcast, 1);
    // The root of a reduction waits for the last one; others for nobody.
    program.collective(0, 4'000, 4'020, "MPI_Reduce", CollectiveKind::reduce, 1);
    program.collective(1, 4'100, 5'000, "MPI_Reduce", CollectiveKind::reduce, 1);
    program.collective(2, 4'700, 4'720, "MPI_Reduce", CollectiveKind::reduce, 1);
    program.run();
    EXPECT_EQ(program.waits, (Waits{{{"MPI_Barrier", 0, WaitKind::barrier}, {1, 1'000}},
                                    {{"MPI_Barrier", 1, WaitKind::barrier}, {1, 600}},
                                    {{"MPI_Bcast", 0, WaitKind::late_root}, {1, 500}},
                                    {{"MPI_Reduce", 1, WaitKind::early_root}, {1, 600}}}));
    // Computation between its calls: 900 before the barrier, 400, 900 and 4980 after the last one.
    EXPECT_EQ(program.times[0].computation, 900U + 400 + 900 + 4'980);
    // Ideally the barrier ends when rank 2 has computed 1900 ticks. The root of the broadcast comes
    // 900 later; so do others, which have computed less, but for rank 2 with its 1100.
    EXPECT_EQ(program.times[0].ideal.most, 1'900U + 900 + 900 + 4'980);
    EXPECT_EQ(program.times[2].ideal.most, 1'900U + 1'100 + 1'400 + 4'280);
    // The root comes to the reduction at 1900 + 900 + 1050, rank 2 at 1900 + 1100 + 1400.
    EXPECT_EQ(program.times[1].ideal.most, 1'900U + 1'100 + 1'400 + 4'000);
}

TEST(WaitAnalysisTest, TimeInFilesIsPartOfTheIdealRun) {
    TimedProgram program(1);
    program.call(0, 1'000, 1'600, "MPI_File_sync");
    program.call(0, 2'000, 2'500, "MPI_Comm_rank");
    program.run();
    EXPECT_TRUE(program.waits.empty());
    EXPECT_EQ(program.times[0].mpi, 600U + 500);
    EXPECT_EQ(program.times[0].io, 600U);
    EXPECT_EQ(program.times[0].computation, 900U + 400 + 6'500);
    EXPECT_EQ(program.times[0].ideal.most, 900U + 600 + 400 + 6'500);
}

}  // namespace
}  // namespace tracefold
