// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/calls/paired_requests.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using F = MpiFunction;
using Kind = Action::Kind;

struct RecordedCall {
    F function;
    std::vector<Action> actions;
};
using Program = std::vector<RecordedCall>;

Action message(Kind kind, u32 peer) {
    Action action;
    action.kind = kind;
    action.envelope = {0, peer, 7, 8};
    return action;
}

RecordedCall isend(u32 to) { return {F::Isend, {message(Kind::send, to)}}; }
RecordedCall irecv() { return {F::Irecv, {}}; }
/// A waiting call in which messages from these ranks were recorded.
RecordedCall waits(F function, const std::vector<u32>& from = {}) {
    RecordedCall call{function, {}};
    for (const u32 rank : from) call.actions.push_back(message(Kind::receive, rank));
    return call;
}

MpiCall call_of(const RecordedCall& recorded, u64 index) {
    MpiCall call;
    call.function = recorded.function;
    call.family = find_mpi_function(name_of(recorded.function))->family;
    call.index = index;
    call.actions = recorded.actions;
    return call;
}

std::function<bool(MpiCall&)> reader(const Program& program) {
    return [&program, next = std::size_t{0}](MpiCall& call) mutable {
        if (next == program.size()) return false;
        call = call_of(program[next], next);
        ++next;
        return true;
    };
}

/// The calls with their requests: "s1" posts a send and "r2<3" a receive from rank 3, "-" posts
/// without a request, "(r2 s1)" completes, "(<3)" receives what no call posted.
std::string paired(const Program& program) {
    const UnpairedRequests found = find_unpaired_requests(reader(program));
    PairedRequests pairs(reader(program), found.drops);
    std::string text;
    const auto number = [](const Action& action) {
        return std::to_string(action.request - kFirstPairedRequest + 1);
    };
    for (u64 i = 0; i < program.size(); ++i) {
        const MpiCall call = call_of(program[i], i);
        if (!PairedRequests::concerns(call, call.actions)) continue;
        std::vector<Action> actions = program[i].actions;
        pairs.apply(call, actions);
        text += text.empty() ? "" : " ";
        if (call.family != CallFamily::completion) {
            if (actions.empty() || actions.front().request == kNoRequest) {
                text += "-";
            } else if (call.function == F::Isend) {
                text += "s" + number(actions.front());
            } else {
                text += "r" + number(actions.front()) + "<" +
                        std::to_string(actions.front().envelope.peer);
            }
            continue;
        }
        std::string done;
        for (const Action& action : actions) {
            done += done.empty() ? "" : " ";
            if (action.kind == Kind::receive) {
                done += "<" + std::to_string(action.envelope.peer);
            } else {
                done += (action.kind == Kind::complete_send ? "s" : "r") + number(action);
            }
        }
        text += "(" + done + ")";
    }
    return text;
}

TEST(PairedRequestsTest, WaitallCompletesWhatIsOutstanding) {
    EXPECT_EQ(paired({irecv(), irecv(), isend(1), isend(2), waits(F::Waitall, {3, 4}), irecv(),
                      isend(1), waits(F::Waitall, {3})}),
              "r1<3 r2<4 s3 s4 (r1 r2 s3 s4) r5<3 s6 (r5 s6)");
}

TEST(PairedRequestsTest, WaitsCompleteInTheOrderOfThePosts) {
    EXPECT_EQ(paired({irecv(), irecv(), isend(1), waits(F::Waitall), waits(F::Wait, {2}),
                      waits(F::Wait, {3})}),
              "r1<2 r2<3 s3 (s3) (r1) (r2)");
    EXPECT_EQ(paired({isend(1), isend(2), waits(F::Wait), waits(F::Waitany), waits(F::Wait)}),
              "s1 s2 (s1) (s2) ()");
}

TEST(PairedRequestsTest, CallsThatNameNothingCompleteTheSends) {
    EXPECT_EQ(paired({irecv(), isend(1), waits(F::Waitall, {2}), waits(F::Waitall), isend(1),
                      waits(F::Wait)}),
              "r1<2 s2 (r1) (s2) s3 (s3)");
    EXPECT_EQ(paired({irecv(), isend(1), isend(2), waits(F::Waitall, {2}), waits(F::Wait)}),
              "r1<2 s2 s3 (r1 s3) (s2)");
}

TEST(PairedRequestsTest, ReceivesThatNeverGetAMessageEndAtTheirWait) {
    EXPECT_EQ(paired({irecv(), irecv(), waits(F::Waitall, {4}), irecv(), irecv(),
                      waits(F::Waitall, {5, 6})}),
              "r1<4 - (r1) r3<5 r4<6 (r3 r4)");
    EXPECT_EQ(paired({irecv(), waits(F::Wait), irecv(), waits(F::Wait, {5})}), "- () r2<5 (r2)");
}

TEST(PairedRequestsTest, WhatCannotBePairedStaysAsRecorded) {
    EXPECT_EQ(paired({waits(F::Waitall, {1}), isend(2), waits(F::Test), irecv()}), "(<1) - () -");
    EXPECT_EQ(paired({irecv(), waits(F::Testsome, {1, 2})}), "r1<1 (r1 <2)");
}

TEST(PairedRequestsTest, ReceivesPostedAheadOfEarlierOnesStayInOrder) {
    // Double buffering: the next receive is posted before the wait for the one before.
    EXPECT_EQ(paired({irecv(), irecv(), waits(F::Wait, {1}), irecv(), waits(F::Wait, {2}),
                      waits(F::Wait, {3})}),
              "r1<1 r2<2 (r1) r3<3 (r2) (r3)");
}

TEST(PairedRequestsTest, TheOldestSendGetsNoRequestIfTooManyCallsFollow) {
    constexpr std::size_t kMany = 70'000;
    Program program = {isend(1)};
    for (std::size_t i = 0; i < kMany; ++i) program.push_back(waits(F::Test));
    program.push_back(waits(F::Wait));
    const std::string text = paired(program);
    EXPECT_EQ(text.substr(0, 4), "- ()");
    EXPECT_EQ(text.substr(text.size() - 2), "()");
}

}  // namespace
}  // namespace tracefold
