// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/check.hpp"
#include "mpi/mpi_call_reader.hpp"
#include "support/made_traces.hpp"
#include "support/test_directory.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Kind = Action::Kind;
using testing::kLeftMessage;
using testing::MadeTrace;

class MatchedProbesTest : public ::testing::Test {
  protected:
    TraceFile fold(MadeTrace& trace) {
        const std::string path = (directory_ / "trace.tfold").string();
        trace.fold(path);
        return TraceFile(path);
    }

    static std::vector<std::pair<MpiCall, std::vector<Action>>> calls(TraceFile& file,
                                                                      u32 location) {
        std::vector<std::pair<MpiCall, std::vector<Action>>> all;
        MpiCallReader program(file, location);
        program.infer(nullptr);
        for (MpiCall mpi_call; program.next(mpi_call);) {
            all.emplace_back(mpi_call,
                             std::vector(mpi_call.actions.begin(), mpi_call.actions.end()));
        }
        return all;
    }

  private:
    TestDirectory directory_;
};

TEST_F(MatchedProbesTest, ReceivesKnowWhatTheirProbesTook) {
    MadeTrace trace({});
    make_matched_probes(trace);
    TraceFile file = fold(trace);
    std::vector<Action> actions;
    for (const auto& [mpi_call, own] : calls(file, 1)) {
        actions.insert(actions.end(), own.begin(), own.end());
    }
    struct Wanted {
        Kind kind;
        u64 message;
        u64 request;
        Envelope envelope;
        bool known;
    };
    const Wanted wanted[] = {
        {Kind::probe, 1, kNoRequest, {0, 0, 5, 100}, true},
        {Kind::probe, 2, kNoRequest, {0, 0, 5, 200}, true},
        {Kind::probe, 3, kNoRequest, {0, 0, 5, 300}, true},
        {Kind::receive, 3, kNoRequest, {0, 0, 5, 300}, true},
        {Kind::post_receive, 1, 7, {0, 0, 5, 100}, true},
        {Kind::receive, 2, kNoRequest, {0, 0, 5, 200}, true},
        {Kind::complete_receive, kNoMessage, 7, {0, 0, 5, 100}, true},
        {Kind::probe, kLeftMessage, kNoRequest, {0, 0, 6, 0}, true},
        {Kind::receive, kNoMessage, kNoRequest, {0, 0, 6, 50}, true},
        {Kind::probe, kLeftMessage, kNoRequest, {0, 0, 6, 0}, true},
        {Kind::receive, kNoMessage, kNoRequest, {0, 0, 6, 50}, true},
        {Kind::probe, 4, kNoRequest, {0, 0, 8, 0}, false},
    };
    ASSERT_EQ(actions.size(), std::size(wanted));
    for (std::size_t i = 0; i < actions.size(); ++i) {
        EXPECT_EQ(actions[i].kind, wanted[i].kind) << i;
        EXPECT_EQ(actions[i].message, wanted[i].message) << i;
        EXPECT_EQ(actions[i].request, wanted[i].request) << i;
        EXPECT_EQ(actions[i].envelope, wanted[i].envelope) << i;
        EXPECT_EQ(actions[i].known, wanted[i].known) << i;
    }
}

TEST_F(MatchedProbesTest, PollsWithoutARecordFoundNothing) {
    MadeTrace trace({});
    make_matched_probes(trace);
    TraceFile file = fold(trace);
    u64 polls = 0;
    for (const auto& [mpi_call, own] : calls(file, 1)) {
        if (mpi_call.family != CallFamily::probe || !own.empty()) continue;
        ++polls;
        EXPECT_FALSE(mpi_call.found);
        EXPECT_EQ(mpi_call.inferred.comm, kNone);
    }
    EXPECT_EQ(polls, 2U);
}

TEST_F(MatchedProbesTest, MessagesMeetTheirProbes) {
    MadeTrace trace({});
    make_matched_probes(trace);
    TraceFile file = fold(trace);
    const CheckResult result = check_replay(file);
    EXPECT_EQ(result.messages, 6U);
    EXPECT_EQ(result.bytes, 100U + 200 + 300 + 50 + 50 + 10);
    // One is never received, so that its sender is not to wait for that; nothing else is odd.
    ASSERT_EQ(result.findings.size(), 1U);
    EXPECT_EQ(result.findings[0].kind, FindingKind::unreceived_message);
    ASSERT_EQ(result.patches.size(), 1U);
    EXPECT_EQ(result.patches[0].unreceived, std::vector<u64>{6});
}

TEST_F(MatchedProbesTest, AProbeWaitsForItsMessage) {
    MadeTrace trace({});
    trace.call(1, "MPI_Mprobe", {{EventType::MpiProbe, {0, 0, 5, 1}}});
    trace.call(1, "MPI_Send", {{EventType::MpiSend, {0, 0, 1, 8}}});
    trace.call(1, "MPI_Mrecv", {{EventType::MpiMrecv, {1, 8}}});
    trace.call(0, "MPI_Probe", {{EventType::MpiProbe, {1, 0, 1, kLeftMessage}}});
    trace.call(0, "MPI_Recv", {{EventType::MpiRecv, {1, 0, 1, 8}}});
    trace.call(0, "MPI_Send", {{EventType::MpiSend, {1, 0, 5, 8}}});
    TraceFile file = fold(trace);
    EXPECT_NE(check_replay(file).find(FindingKind::deadlock), nullptr);
}

TEST_F(MatchedProbesTest, WhatNeverCameIsLeftOutWithItsReceive) {
    MadeTrace trace({});
    trace.call(1, "MPI_Mprobe", {{EventType::MpiProbe, {0, 0, 5, 1}}});
    trace.call(1, "MPI_Imrecv", {{EventType::MpiImrecvRequest, {1, 1}}});
    trace.call(1, "MPI_Wait", {{EventType::MpiImrecv, {1, 8}}});
    trace.call(0, "MPI_Finalize");
    TraceFile file = fold(trace);
    const CheckResult result = check_replay(file);
    ASSERT_EQ(result.patches.size(), 1U);
    EXPECT_EQ(result.patches[0].left_out, (std::vector<ReplayPatch::Part>{{0, 0}, {1, 0}, {2, 0}}));
}

TEST_F(MatchedProbesTest, WithoutItsProbeAReceiveHasNoRecord) {
    MadeTrace trace({});
    trace.call(0, "MPI_Send", {{EventType::MpiSend, {1, 0, 5, 8}}});
    trace.call(1, "MPI_Mrecv", {{EventType::MpiMrecv, {1, 8}}});
    TraceFile file = fold(trace);
    EXPECT_TRUE(calls(file, 1).at(0).second.empty());
    const CheckResult result = check_replay(file);
    EXPECT_NE(result.find(FindingKind::inferred_receive), nullptr);
}

TEST_F(MatchedProbesTest, APartHasProbesWhoseMessageIsSentInIt) {
    MadeTrace trace({});
    trace.call(0, "MPI_Send", {{EventType::MpiSend, {1, 0, 5, 8}}});
    trace.call(0, "MPI_Send", {{EventType::MpiSend, {1, 0, 6, 8}}});
    trace.call(1, "MPI_Mprobe", {{EventType::MpiProbe, {0, 0, 5, 1}}});
    trace.call(1, "MPI_Probe", {{EventType::MpiProbe, {0, 0, 6, kLeftMessage}}});
    trace.call(1, "MPI_Mrecv", {{EventType::MpiMrecv, {1, 8}}});
    trace.call(1, "MPI_Recv", {{EventType::MpiRecv, {0, 0, 6, 8}}});
    TraceFile file = fold(trace);
    WindowRequest request;
    request.from = WindowBound{.number = 1};
    const CheckResult result = check_window(file, request);
    // The second message is sent in the part; the first one was, and was probed, before.
    const auto of_rank_1 = std::ranges::find(result.patches, 1U, &ReplayPatch::location);
    ASSERT_NE(of_rank_1, result.patches.end());
    MpiCallReader program(file, 1, Times::skip);
    program.infer(&*of_rank_1);
    std::vector<std::size_t> actions;
    for (MpiCall mpi_call; program.next(mpi_call);) {
        const bool out = mpi_call.patch_effect == MpiCall::PatchEffect::outside ||
                         mpi_call.patch_effect == MpiCall::PatchEffect::left_out;
        actions.push_back(out ? 0 : mpi_call.actions.size());
    }
    EXPECT_EQ(actions, (std::vector<std::size_t>{0, 1, 0, 1}));
}

TEST_F(MatchedProbesTest, ThreadsHandMessagesOver) {
    MadeTrace trace(testing::kThreeThreads);
    make_messages_handed_over(trace);
    TraceFile file = fold(trace);
    // Locations 3 to 5 are the threads of rank 1; the first one begins with MPI_Init.
    EXPECT_EQ(calls(file, 4)[0].second.at(0).envelope, (Envelope{0, 0, 5, 8}));
    EXPECT_EQ(calls(file, 4)[1].second.at(0).envelope, (Envelope{0, 0, 5, 9}));
    EXPECT_EQ(calls(file, 3)[1].second.at(0).envelope, (Envelope{0, 0, 5, 9}));
    EXPECT_EQ(calls(file, 3)[2].second.at(0).envelope, (Envelope{0, 0, 5, 8}));
    EXPECT_EQ(calls(file, 5)[0].second.at(0).envelope, (Envelope{0, 0, 5, 8}));
    const CheckResult result = check_replay(file);
    EXPECT_EQ(result.messages, 2U);
    EXPECT_TRUE(result.patches.empty());
    EXPECT_EQ(result.find(FindingKind::different_bytes), nullptr);
}

}  // namespace
}  // namespace tracefold
