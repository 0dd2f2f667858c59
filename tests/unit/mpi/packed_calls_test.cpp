// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/calls/batch_reader.hpp"
#include "unit/mpi/seen_call.hpp"

#include <functional>
#include <random>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// Actions that differ in one field each from one that has the usual ones.
std::vector<Action> actions_with_each_field() {
    const std::vector<std::function<void(Action&)>> changes = {
        [](Action&) {},
        [](Action& a) { a.kind = Action::Kind::post_receive; },
        [](Action& a) { a.known = false; },
        [](Action& a) { a.unrecorded = true; },
        [](Action& a) { a.has_size = true; },
        [](Action& a) { a.has_root = true; },
        [](Action& a) { a.type = EventType::MpiCollectiveEnd; },
        [](Action& a) { a.time = 1; },
        [](Action& a) { a.request = 2; },
        [](Action& a) { a.message = 3; },
        [](Action& a) {
            a.envelope = {4, 5, 6, 7};
        },
        [](Action& a) {
            a.part = {8, CollectiveKind::bcast, 9, 10, 11};
        },
        [](Action& a) { a.fields[5] = 12; },
        [](Action& a) { a.offset = 13; },
    };
    std::vector<Action> actions;
    for (const auto& first : changes) {
        for (const auto& second : changes) {
            Action action;
            first(action);
            second(action);
            actions.push_back(action);
        }
    }
    return actions;
}

std::vector<MpiCall> calls_with_each_field() {
    const std::vector<std::function<void(MpiCall&)>> changes = {
        [](MpiCall&) {},
        [](MpiCall& c) { c.function = MpiFunction::Bcast; },
        [](MpiCall& c) { c.family = CallFamily::file; },
        [](MpiCall& c) { c.region = 1; },
        [](MpiCall& c) { c.index = 2; },
        [](MpiCall& c) { c.begin = c.paced_begin = 3; },
        [](MpiCall& c) { c.end = c.paced_end = 4; },
        [](MpiCall& c) { c.paced_begin = 5; },
        [](MpiCall& c) { c.paced_end = 6; },
        [](MpiCall& c) { c.patch_effect = MpiCall::PatchEffect::left_out; },
        [](MpiCall& c) { c.inferred.comm = 7; },
        [](MpiCall& c) { c.found = true; },
        [](MpiCall& c) { c.unreceived = true; },
        [](MpiCall& c) { c.dropped = true; },
    };
    std::vector<MpiCall> calls(changes.size());
    for (std::size_t i = 0; i < changes.size(); ++i) changes[i](calls[i]);
    return calls;
}

TEST(PackedCallsTest, ComeOutAsTheyWentIn) {
    const std::vector<Action> actions = actions_with_each_field();
    std::mt19937 random(5);
    PackedCalls packed;
    // A second time in the same memory.
    for (int round = 0; round < 2; ++round) {
        packed.clear();
        std::vector<SeenCall> wanted;
        std::size_t next = 0;
        while (next < actions.size()) {
            for (MpiCall call : calls_with_each_field()) {
                const std::size_t count =
                    std::min<std::size_t>(random() % 4, actions.size() - next);
                call.actions = std::span(actions).subspan(next, count);
                next += count;
                packed.add(call);
                wanted.emplace_back(call);
            }
        }
        ASSERT_EQ(packed.size(), wanted.size());
        MpiCall call;
        std::vector<Action> place;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            packed.read(call, place);
            EXPECT_EQ(SeenCall(call), wanted[i]) << i;
        }
    }
}

}  // namespace
}  // namespace tracefold
