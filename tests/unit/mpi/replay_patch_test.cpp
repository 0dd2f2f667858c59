// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/replay_patch.hpp"

#include "base/error.hpp"
#include "mpi/calls/unrecorded_requests.hpp"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Kind = Action::Kind;
using PatchEffect = MpiCall::PatchEffect;

std::vector<ReplayPatch> example() {
    ReplayPatch some;
    some.location = 3;
    some.renames = {{2, 10, 11}, {2, 12, 13}};
    some.receives = {{4, 7, {1, 2, 3, 400}}, {5, kNoRequest, {}}};
    some.left_out = {{6, 0}, {7, 1}, {8, 0}};
    some.unposted = {{2, 2}};
    some.early = {{1, 4}};
    some.creations = {{3, 20, 1}, {10, kNone, 1}};
    some.frees = {{11, 20}};
    some.early_communicators = {17, 19};
    some.unreceived = {9};
    ReplayPatch other;
    other.location = 1;
    other.window = {3, 77, 1000, true};
    other.prepared = 5;
    other.left_out = {{u64{1} << 40U, 3}};
    return {some, other};
}

TEST(ReplayPatchTest, PackedOnesComeBack) {
    const auto wanted = example();
    const auto found = unpack_patches(pack_patches(wanted));
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].location, wanted[i].location);
        EXPECT_EQ(found[i].renames, wanted[i].renames);
        EXPECT_EQ(found[i].receives, wanted[i].receives);
        EXPECT_EQ(found[i].left_out, wanted[i].left_out);
        EXPECT_EQ(found[i].unposted, wanted[i].unposted);
        EXPECT_EQ(found[i].early, wanted[i].early);
        EXPECT_EQ(found[i].creations, wanted[i].creations);
        EXPECT_EQ(found[i].frees, wanted[i].frees);
        EXPECT_EQ(found[i].early_communicators, wanted[i].early_communicators);
        EXPECT_EQ(found[i].window.from, wanted[i].window.from);
        EXPECT_EQ(found[i].window.to, wanted[i].window.to);
        EXPECT_EQ(found[i].window.start_ticks, wanted[i].window.start_ticks);
        EXPECT_EQ(found[i].prepared, wanted[i].prepared);
        EXPECT_EQ(found[i].unreceived, wanted[i].unreceived);
    }
}

TEST(ReplayPatchTest, TruncatedOnesAreRefused) {
    const std::string whole = pack_patches(example());
    for (std::size_t size = 0; size < whole.size(); ++size) {
        EXPECT_THROW(unpack_patches(std::string_view(whole).substr(0, size)), Error);
    }
}

Action request(Kind kind, u64 id) {
    Action action;
    action.kind = kind;
    action.request = id;
    action.known = kind != Kind::post_receive;
    return action;
}

TEST(ReplayPatchTest, CallsGetTheRecordsOfCommunicators) {
    ReplayPatch patch;
    patch.creations = {{1, 20, 5}, {2, kNone, 5}};
    patch.frees = {{4, 20}};
    PatchCursor cursor(patch);
    std::vector<std::vector<Action>> actions(5);
    std::vector<PatchEffect> treatments;
    for (u64 index = 0; index < actions.size(); ++index) {
        MpiCall call;
        call.index = index;
        cursor.apply(call, actions[index]);
        treatments.push_back(call.patch_effect);
    }
    const auto inferred = PatchEffect::inferred;
    const auto recorded = PatchEffect::as_recorded;
    EXPECT_EQ(treatments, (std::vector{recorded, inferred, inferred, recorded, inferred}));
    ASSERT_EQ(actions[1].size(), 2U);
    EXPECT_EQ(actions[1][0].kind, Kind::create_comm);
    EXPECT_EQ(actions[1][0].part.comm, 20U);
    EXPECT_EQ(actions[1][1].kind, Kind::collective);
    EXPECT_EQ(actions[1][1].part.comm, 5U);
    ASSERT_EQ(actions[2].size(), 1U) << "no new communicator here";
    EXPECT_EQ(actions[2][0].kind, Kind::collective);
    ASSERT_EQ(actions[4].size(), 1U);
    EXPECT_EQ(actions[4][0].kind, Kind::destroy_comm);
}

TEST(ReplayPatchTest, CallsAreChangedInOrder) {
    const auto all = example();
    PatchCursor cursor(all.front());
    std::vector<MpiCall> calls(10);
    std::vector<std::vector<Action>> actions(10);
    actions[2] = {request(Kind::complete_send, 12), request(Kind::complete_receive, 10),
                  request(Kind::complete_receive, 1)};
    actions[4] = {request(Kind::post_receive, 6), request(Kind::post_receive, 7)};
    actions[6] = {request(Kind::receive, kNoRequest)};
    actions[7] = {request(Kind::send, kNoRequest), request(Kind::receive, kNoRequest)};
    actions[8] = {request(Kind::collective, kNoRequest), request(Kind::record, kNoRequest)};
    for (u64 i = 0; i < calls.size(); ++i) {
        calls[i].index = i;
        cursor.apply(calls[i], actions[i]);
    }
    EXPECT_EQ(actions[2][0].request, 13U);
    EXPECT_EQ(actions[2][1].request, 11U);
    EXPECT_FALSE(actions[4][0].known);
    EXPECT_TRUE(actions[4][1].known);
    EXPECT_EQ(actions[4][1].envelope, (Envelope{1, 2, 3, 400}));
    EXPECT_EQ(calls[4].patch_effect, PatchEffect::inferred);
    EXPECT_EQ(calls[5].patch_effect, PatchEffect::left_out);
    EXPECT_EQ(calls[6].patch_effect, PatchEffect::left_out);
    EXPECT_EQ(actions[2][2].kind, Kind::receive) << "nobody posted it";
    EXPECT_EQ(calls[7].patch_effect, PatchEffect::as_recorded) << "it still sends";
    ASSERT_EQ(actions[7].size(), 1U);
    EXPECT_EQ(actions[7][0].kind, Kind::send);
    EXPECT_EQ(calls[8].patch_effect, PatchEffect::left_out) << "a collective is all of it";
    EXPECT_TRUE(calls[9].unreceived);
    EXPECT_FALSE(calls[8].unreceived);
}

TEST(ReplayPatchTest, APartHasWhatItNeedsBefore) {
    ReplayPatch all;
    all.window = {3, 6, 0, true};
    all.prepared = 4;
    all.early = {{1, 1}};
    PatchCursor cursor(all);
    const auto call = [&cursor](u64 index, CallFamily family, std::vector<Action>& actions) {
        MpiCall mpi_call;
        mpi_call.index = index;
        mpi_call.family = family;
        cursor.apply(mpi_call, actions);
        return mpi_call.patch_effect;
    };
    std::vector<Action> none;
    EXPECT_EQ(call(0, CallFamily::comm_create, none), PatchEffect::prepared);
    std::vector<Action> started = {request(Kind::send, 1), request(Kind::post_receive, 2)};
    EXPECT_EQ(call(1, CallFamily::start, started), PatchEffect::prepared);
    ASSERT_EQ(started.size(), 1U) << "the send is over by then";
    EXPECT_EQ(started[0].request, 2U);
    EXPECT_EQ(call(2, CallFamily::collective, none), PatchEffect::outside);
    EXPECT_EQ(call(3, CallFamily::window, none), PatchEffect::prepared) << "another rank needs it";
    std::vector<Action> completed = {request(Kind::complete_send, 1),
                                     request(Kind::complete_receive, 2)};
    EXPECT_EQ(call(4, CallFamily::completion, completed), PatchEffect::as_recorded);
    ASSERT_EQ(completed.size(), 1U);
    EXPECT_EQ(completed[0].request, 2U);
    std::vector<Action> unposted = {request(Kind::complete_send, 1)};
    EXPECT_EQ(call(5, CallFamily::completion, unposted), PatchEffect::left_out);
    EXPECT_EQ(call(6, CallFamily::comm_create, none), PatchEffect::outside);
}

/// A program of calls without times.
class ProbeTest : public ::testing::Test {
  protected:
    void add(MpiFunction function, u32 tag = 0) {
        MpiCall mpi_call;
        mpi_call.function = function;
        mpi_call.family = find_mpi_function(name_of(function))->family;
        mpi_call.index = calls_.size();
        actions_.emplace_back();
        if (mpi_call.family == CallFamily::receive) {
            actions_.back().emplace_back();
            actions_.back().back().kind = Kind::receive;
            actions_.back().back().envelope = {0, 1, tag, 8};
        }
        if (mpi_call.family == CallFamily::matched_receive) mpi_call.inferred = {0, 1, tag, 8};
        calls_.push_back(mpi_call);
    }
    /// The probes of the program after looking.
    std::vector<MpiCall> look() {
        auto next = std::make_shared<std::size_t>(0);
        ProbeDetector scout([this, next](MpiCall& mpi_call) {
            if (*next == calls_.size()) return false;
            mpi_call = calls_[*next];
            mpi_call.actions = actions_[(*next)++];
            return true;
        });
        std::vector<MpiCall> probes;
        for (const MpiCall& call : calls_) {
            if (call.family != CallFamily::probe) continue;
            probes.push_back(call);
            scout.look(probes.back());
        }
        return probes;
    }

  private:
    std::vector<MpiCall> calls_;
    std::vector<std::vector<Action>> actions_;
};

TEST_F(ProbeTest, AProbeIsForTheNextReceive) {
    add(MpiFunction::Send);
    add(MpiFunction::Probe);
    add(MpiFunction::Recv, 4);
    add(MpiFunction::Iprobe);
    add(MpiFunction::Iprobe);
    add(MpiFunction::Send);
    add(MpiFunction::Recv, 5);
    add(MpiFunction::Iprobe);
    const auto probes = look();
    ASSERT_EQ(probes.size(), 4U);
    EXPECT_EQ(probes[0].inferred.tag, 4U);
    EXPECT_TRUE(probes[0].found);
    EXPECT_EQ(probes[1].inferred.tag, 5U);
    EXPECT_FALSE(probes[1].found) << "another one follows";
    EXPECT_TRUE(probes[2].found);
    EXPECT_EQ(probes[3].patch_effect, PatchEffect::left_out) << "no receive follows";
}

TEST_F(ProbeTest, MatchedProbesAndReceivesPairInOrder) {
    add(MpiFunction::Mprobe);
    add(MpiFunction::Probe);
    add(MpiFunction::Mprobe);
    add(MpiFunction::Recv, 9);
    add(MpiFunction::Mrecv, 1);
    add(MpiFunction::Mrecv, 2);
    add(MpiFunction::Improbe);
    add(MpiFunction::Improbe);
    add(MpiFunction::Imrecv, 3);
    const auto probes = look();
    ASSERT_EQ(probes.size(), 5U);
    EXPECT_EQ(probes[0].inferred.tag, 1U);
    EXPECT_EQ(probes[1].inferred.tag, 9U);
    EXPECT_EQ(probes[2].inferred.tag, 2U);
    EXPECT_FALSE(probes[3].found);
    EXPECT_TRUE(probes[4].found);
    EXPECT_EQ(probes[4].inferred.tag, 3U);
}

}  // namespace
}  // namespace tracefold
