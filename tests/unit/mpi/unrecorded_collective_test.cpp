// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/calls/unrecorded_requests.hpp"
#include "mpi/matching/inferred_collectives.hpp"

#include <numeric>
#include <ostream>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {

/// For messages of tests.
bool operator==(const Contribution& a, const Contribution& b) {
    return a.sent == b.sent && a.received == b.received;
}
void PrintTo(const Contribution& sizes, std::ostream* out) {
    *out << sizes.sent << " sent, " << sizes.received << " received";
}

namespace {

/// What four processes recorded for the same call with another recorder, which writes all of it,
/// and what TAU's metrics say of it (sample_traces/programs/micro/colls.c, iteration 0; rank 0 is
/// the root, blocks are of one int, or of rank + 1 ints).
struct Comparison {
    MpiFunction function;
    std::vector<u64> metrics;
    std::vector<Contribution> recorded;
};
void PrintTo(const Comparison& it, std::ostream* out) { *out << name_of(it.function); }

constexpr u64 kNo = kNoMetric;

class UnrecordedCollectiveTest : public ::testing::TestWithParam<Comparison> {};

TEST_P(UnrecordedCollectiveTest, MetricsGiveTheSizesThatOtherRecordersWrite) {
    std::vector<UnrecordedCall> members;
    for (const u64 metric : GetParam().metrics) members.push_back({GetParam().function, metric});
    const ExplainedCollective all = explain_collective(members);
    for (u32 rank = 0; rank < members.size(); ++rank) {
        EXPECT_EQ(all.of_member(rank), GetParam().recorded[rank]) << rank;
    }
    EXPECT_TRUE(all.has_size);
}

INSTANTIATE_TEST_SUITE_P(
    Calls, UnrecordedCollectiveTest,
    ::testing::Values(
        Comparison{MpiFunction::Bcast, {4, 4, 4, 4}, {{16, 4}, {0, 4}, {0, 4}, {0, 4}}},
        Comparison{MpiFunction::Reduce, {4, 4, 4, 4}, {{4, 16}, {4, 0}, {4, 0}, {4, 0}}},
        Comparison{MpiFunction::Allreduce, {4, 4, 4, 4}, {{16, 16}, {16, 16}, {16, 16}, {16, 16}}},
        Comparison{MpiFunction::Gather, {4, kNo, kNo, kNo}, {{4, 16}, {4, 0}, {4, 0}, {4, 0}}},
        Comparison{MpiFunction::Scatter, {4, 4, 4, 4}, {{16, 4}, {0, 4}, {0, 4}, {0, 4}}},
        Comparison{MpiFunction::Allgather, {4, 4, 4, 4}, {{16, 16}, {16, 16}, {16, 16}, {16, 16}}},
        Comparison{MpiFunction::Alltoall, {8, 8, 8, 8}, {{16, 16}, {16, 16}, {16, 16}, {16, 16}}},
        Comparison{MpiFunction::Ialltoall, {4, 4, 4, 4}, {{16, 16}, {16, 16}, {16, 16}, {16, 16}}},
        Comparison{MpiFunction::Scan, {4, 4, 4, 4}, {{16, 4}, {12, 8}, {8, 12}, {4, 16}}},
        Comparison{MpiFunction::Iexscan, {4, 4, 4, 4}, {{12, 0}, {8, 4}, {4, 8}, {0, 12}}},
        Comparison{MpiFunction::Reduce_scatter_block,
                   {4, 4, 4, 4},
                   {{16, 16}, {16, 16}, {16, 16}, {16, 16}}},
        Comparison{MpiFunction::Ireduce_scatter,
                   {4, 8, 12, 16},
                   {{40, 16}, {40, 32}, {40, 48}, {40, 64}}}),
    [](const auto& tested) { return std::string(name_of(tested.param.function)); });

ExplainedCollective explain(MpiFunction function, const std::vector<u64>& metrics) {
    std::vector<UnrecordedCall> members;
    for (const u64 metric : metrics) members.push_back({function, metric});
    return explain_collective(members);
}

u64 total(const ExplainedCollective& all, u64 Contribution::*size) {
    u64 sum = 0;
    for (u32 rank = 0; rank < all.size; ++rank) sum += all.of_member(rank).*size;
    return sum;
}

TEST(UnrecordedCollectiveTest, WhereOnlyTheTotalIsKnownSharesAreEqual) {
    const ExplainedCollective gatherv = explain(MpiFunction::Gatherv, {kNo, kNo, 41, kNo});
    EXPECT_EQ(gatherv.root, 2U);
    EXPECT_TRUE(gatherv.has_root);
    EXPECT_EQ(gatherv.of_member(0), (Contribution{11, 0}));
    EXPECT_EQ(gatherv.of_member(2), (Contribution{10, 41}));
    const ExplainedCollective scatterv = explain(MpiFunction::Scatterv, {kNo, 40, kNo, kNo});
    EXPECT_EQ(scatterv.of_member(1), (Contribution{40, 10}));
    const ExplainedCollective allgatherv = explain(MpiFunction::Allgatherv, {40, 40, 40, 40});
    EXPECT_EQ(allgatherv.of_member(3), (Contribution{40, 40}));
    for (const ExplainedCollective& all : {gatherv, scatterv, allgatherv}) {
        EXPECT_EQ(total(all, &Contribution::sent), total(all, &Contribution::received));
    }
}

TEST(UnrecordedCollectiveTest, HalfOfWhatGoesBothWaysIsSent) {
    const ExplainedCollective all = explain(MpiFunction::Alltoallv, {56, 72, 88, 104});
    EXPECT_EQ(all.of_member(1), (Contribution{36, 36}));
    EXPECT_EQ(total(all, &Contribution::sent), 160U);
    EXPECT_EQ(total(all, &Contribution::received), 160U);
}

TEST(UnrecordedCollectiveTest, RootsAreThoseWhoTellAloneElseRankZero) {
    EXPECT_EQ(explain(MpiFunction::Gather, {kNo, 4, kNo}).root, 1U);
    EXPECT_EQ(explain(MpiFunction::Bcast, {kNo, kNo, 4}).root, 2U);
    EXPECT_FALSE(explain(MpiFunction::Bcast, {4, 4, 4}).has_root);
    EXPECT_EQ(explain(MpiFunction::Bcast, {4, 4, 4}).root, 0U);
    EXPECT_FALSE(explain(MpiFunction::Gather, {kNo, kNo, kNo}).has_root);
    EXPECT_EQ(explain(MpiFunction::Allreduce, {4, 4, 4}).root, kNone);
}

TEST(UnrecordedCollectiveTest, WithoutMetricsNothingIsMoved) {
    const ExplainedCollective all = explain(MpiFunction::Alltoallw, {kNo, kNo});
    EXPECT_FALSE(all.has_size);
    EXPECT_EQ(all.of_member(1), (Contribution{0, 0}));
}

TEST(UnrecordedCollectiveTest, OneMemberTakesTheOthersToKnowTheSame) {
    const UnrecordedCall call{MpiFunction::Bcast, 4};
    EXPECT_EQ(explain_collective(call, {0, 4}).of_member(0), (Contribution{16, 4}));
    EXPECT_EQ(explain_collective(call, {2, 4}).of_member(2), (Contribution{0, 4}));
    EXPECT_EQ(explain_collective({MpiFunction::Gather, 4}, {2, 4}).root, 2U);
    EXPECT_FALSE(needs_other_members(MpiFunction::Bcast));
    EXPECT_TRUE(needs_other_members(MpiFunction::Gatherv));
    EXPECT_TRUE(needs_other_members(MpiFunction::Ireduce_scatter));
}

TEST(UnrecordedCollectiveTest, EveryCollectiveHasAKind) {
    for (std::size_t i = 0; i < kMpiFunctions; ++i) {
        const auto function = static_cast<MpiFunction>(i);
        const auto info = find_mpi_function(name_of(function));
        const bool is_collective = info && (info->family == CallFamily::collective ||
                                            info->family == CallFamily::post_collective);
        EXPECT_EQ(collective_kind(function).has_value(), is_collective) << name_of(function);
    }
}

TEST(InferredCollectivesTest, WhatIsAddedComesBackInOrder) {
    InferredCollectives inferred;
    EXPECT_TRUE(inferred.pack().empty());
    std::vector<Action> wanted(1000);
    for (u32 i = 0; i < wanted.size(); ++i) {
        wanted[i].kind = Action::Kind::collective;
        wanted[i].part = {i % 3, CollectiveKind::barrier, i % 4, 8 * (i % 2), i};
        wanted[i].has_size = i % 2 == 0;
        wanted[i].has_root = i % 3 == 0;
        inferred.add(wanted[i]);
    }
    const std::string bytes = inferred.pack();
    EXPECT_LT(bytes.size(), wanted.size()) << "it is folded";
    InferredCollectives::Cursor cursor(bytes);
    for (const Action& action : wanted) {
        std::vector<Action> found(1);
        found[0].kind = Action::Kind::collective;
        found[0].unrecorded = true;
        cursor.apply(found);
        ASSERT_EQ(found.at(0).part, action.part);
        ASSERT_EQ(found.at(0).has_size, action.has_size);
        ASSERT_EQ(found.at(0).has_root, action.has_root);
    }
}

/// A call of these actions.
void pass(UnrecordedRequests& requests, MpiFunction function, std::vector<Action>& actions) {
    MpiCall mpi_call;
    mpi_call.function = function;
    if (requests.concerns(mpi_call, actions)) requests.apply(mpi_call, actions);
}

std::vector<Action> post(UnrecordedRequests& requests) {
    std::vector<Action> actions(1);
    actions[0].kind = Action::Kind::post_collective;
    actions[0].unrecorded = true;
    pass(requests, MpiFunction::Ibarrier, actions);
    return actions;
}

TEST(UnrecordedRequestsTest, TheNextCallThatWaitsCompletesThem) {
    UnrecordedRequests requests;
    std::vector<u64> posted;
    for (int i = 0; i < 4; ++i) posted.push_back(post(requests)[0].request);
    const auto completed_by = [&](MpiFunction function, std::vector<Action> actions = {}) {
        pass(requests, function, actions);
        std::vector<u64> completed;
        for (const Action& action : actions) {
            if (action.kind == Action::Kind::complete_collective) {
                completed.push_back(action.request);
            }
        }
        return completed;
    };
    EXPECT_TRUE(completed_by(MpiFunction::Test).empty());
    std::vector<Action> message(1);
    message[0].kind = Action::Kind::complete_receive;
    EXPECT_TRUE(completed_by(MpiFunction::Wait, message).empty()) << "it waited for a message";
    EXPECT_EQ(completed_by(MpiFunction::Wait), (std::vector{posted[0]}));
    EXPECT_EQ(completed_by(MpiFunction::Waitany), (std::vector{posted[1]}));
    EXPECT_EQ(completed_by(MpiFunction::Waitall, message), (std::vector{posted[2], posted[3]}));
    EXPECT_TRUE(completed_by(MpiFunction::Waitall).empty());
}

}  // namespace
}  // namespace tracefold
