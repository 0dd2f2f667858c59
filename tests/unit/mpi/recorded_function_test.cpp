// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/recorded_function.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Kind = Action::Kind;

Action action(Kind kind, u64 request = kNoRequest) {
    Action made;
    made.kind = kind;
    made.request = request;
    return made;
}

Action collective(Kind kind, CollectiveKind operation, bool known = true) {
    Action made = action(kind);
    made.known = known;
    made.part.kind = operation;
    return made;
}

void expect_function(const std::vector<Action>& actions, MpiFunction function, CallFamily family) {
    const MpiFunctionInfo info = function_of_records(actions);
    EXPECT_EQ(info.function, function) << name_of(info.function);
    EXPECT_EQ(info.family, family) << family_name(info.family);
}

TEST(RecordedFunctionTest, NoCommunicationIsLocal) {
    const std::vector<Action> none;
    for (const CallFamily family : {CallFamily::local, CallFamily::unsupported}) {
        EXPECT_TRUE(explains(family, none));
        for (int kind = 0; kind <= static_cast<int>(Kind::record); ++kind) {
            EXPECT_FALSE(explains(family, std::vector{action(static_cast<Kind>(kind))})) << kind;
        }
    }
}

TEST(RecordedFunctionTest, FunctionsExplainTheirOwnRecords) {
    EXPECT_TRUE(explains(CallFamily::send, std::vector{action(Kind::send)}));
    EXPECT_FALSE(explains(CallFamily::send, std::vector{action(Kind::receive)}));
    EXPECT_FALSE(explains(CallFamily::init, std::vector{action(Kind::send)}));
    EXPECT_TRUE(explains(CallFamily::init, std::vector{action(Kind::create_comm)}));
    EXPECT_TRUE(explains(CallFamily::completion,
                         std::vector{action(Kind::receive), action(Kind::complete_send, 1)}));
    EXPECT_FALSE(explains(CallFamily::cancel, std::vector{action(Kind::cancelled, 1)}));
}

TEST(RecordedFunctionTest, OneOperationIsOneFunction) {
    expect_function({action(Kind::send)}, MpiFunction::Send, CallFamily::send);
    expect_function({action(Kind::send, 1)}, MpiFunction::Isend, CallFamily::post_send);
    expect_function({action(Kind::receive), action(Kind::send)}, MpiFunction::Sendrecv,
                    CallFamily::send_receive);
    expect_function({action(Kind::complete_send, 1), action(Kind::complete_receive, 2)},
                    MpiFunction::Waitall, CallFamily::completion);
    expect_function({collective(Kind::collective, CollectiveKind::scan)}, MpiFunction::Scan,
                    CallFamily::collective);
    expect_function({collective(Kind::post_collective, CollectiveKind::scan)}, MpiFunction::Iscan,
                    CallFamily::post_collective);
}

TEST(RecordedFunctionTest, SeveralOperationsAreIssuedInOrder) {
    MpiCall call;
    const std::vector<Action> actions = {action(Kind::post_receive, 1), action(Kind::send, 2),
                                         action(Kind::complete_receive, 1),
                                         action(Kind::complete_send, 2)};
    call.actions = actions;
    expect_function(actions, MpiFunction::other, CallFamily::recorded);
    std::vector<MpiFunction> issued;
    std::size_t count = 0;
    for_each_operation(call, [&](const MpiCall& operation) {
        issued.push_back(operation.function);
        count += operation.actions.size();
    });
    EXPECT_EQ(issued, (std::vector{MpiFunction::Irecv, MpiFunction::Isend, MpiFunction::Waitall}));
    EXPECT_EQ(count, actions.size());
}

TEST(RecordedFunctionTest, WhatDependsOnTheFunctionIsUnsupported) {
    const Action never_completed =
        collective(Kind::post_collective, CollectiveKind::barrier, false);
    const Action creation = collective(Kind::collective, CollectiveKind::create_handle);
    for (const Action& one : {action(Kind::record), never_completed, creation}) {
        expect_function({one}, MpiFunction::other, CallFamily::unsupported);
        expect_function({action(Kind::send), one}, MpiFunction::other, CallFamily::unsupported);
    }
}

}  // namespace
}  // namespace tracefold
