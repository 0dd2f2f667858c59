// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/detail/watchdog.hpp"

#include <future>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// A watchdog over some calls that waits for it to give up.
std::vector<std::string> watch(std::vector<const CallInFlight*> calls) {
    std::vector<std::string> sentences;
    std::promise<void> gave_up;
    Watchdog::Options options;
    options.seconds = 0.02;
    options.rank = 3;
    options.communicator_name = [](u64 comm) { return "comm " + std::to_string(comm); };
    options.report = [&](const std::string& sentence) { sentences.push_back(sentence); };
    options.give_up = [&] { gave_up.set_value(); };
    const Watchdog watchdog(options, std::move(calls));
    gave_up.get_future().wait();
    return sentences;
}

MpiCall call(MpiFunction function, std::span<const Action> actions) {
    MpiCall call;
    call.function = function;
    call.index = 41;
    call.actions = actions;
    return call;
}

TEST(WatchdogTest, NamesRankCallPeerTagAndCommunicator) {
    Action action;
    action.kind = Action::Kind::receive;
    action.envelope = {5, 7, 11, 64};
    CallInFlight stuck;
    CallInFlight idle;
    stuck.begin(call(MpiFunction::Recv, {&action, 1}));
    const std::vector<std::string> sentences = watch({&idle, &stuck});
    ASSERT_EQ(sentences.size(), 1U);
    EXPECT_EQ(sentences[0],
              "rank 3 waits for 0.02 s in MPI_Recv, call 41 of its trace, for a message of rank 7, "
              "tag 11, communicator comm 5");
}

TEST(WatchdogTest, NamesSendsRequestsAndCollectives) {
    Action send;
    send.kind = Action::Kind::send;
    send.envelope = {5, 7, 11, 64};
    send.request = 9;
    Action collective;
    collective.kind = Action::Kind::collective;
    collective.part.comm = 6;
    CallInFlight first;
    CallInFlight second;
    CallInFlight third;
    first.begin(call(MpiFunction::Issend, {&send, 1}));
    second.begin(call(MpiFunction::Barrier, {&collective, 1}));
    third.begin(call(MpiFunction::Win_fence, {}));
    const std::vector<std::string> sentences = watch({&first, &second, &third});
    ASSERT_EQ(sentences.size(), 3U);
    EXPECT_NE(sentences[0].find("MPI_Issend, call 41 of its trace, request 9, for rank 7, tag 11, "
                                "communicator comm 5"),
              std::string::npos);
    EXPECT_NE(sentences[1].find("MPI_Barrier, call 41 of its trace, communicator comm 6"),
              std::string::npos);
    EXPECT_NE(sentences[2].find("MPI_Win_fence, call 41 of its trace"), std::string::npos);
}

/// A second watchdog, which does give up over the same call, shows that there was time enough.
TEST(WatchdogTest, WatchesNothingWithoutATimeout) {
    CallInFlight stuck;
    stuck.begin(call(MpiFunction::Barrier, {}));
    Watchdog::Options options;
    options.report = [](const std::string& sentence) { ADD_FAILURE() << sentence; };
    options.give_up = [] { ADD_FAILURE() << "without a timeout"; };
    const Watchdog watchdog(options, {&stuck});
    EXPECT_EQ(watch({&stuck}).size(), 1U);
}

}  // namespace
}  // namespace tracefold
