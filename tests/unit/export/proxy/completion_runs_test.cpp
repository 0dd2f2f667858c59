// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/proxy/completion_runs.hpp"

#include <string>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Kind = Action::Kind;

/// A call with one action for each request.
struct Call {
    MpiFunction function{};
    std::vector<u64> requests;
    Kind kind = Kind::complete_receive;
};

Action action(Kind kind, u64 request) {
    Action one;
    one.kind = kind;
    one.request = request;
    return one;
}

/// Reads calls that keep their actions until the next one is read.
class Source {
  public:
    explicit Source(std::vector<Call> calls) : calls_(std::move(calls)) {}

    bool operator()(MpiCall& mpi_call) {
        if (next_ == calls_.size()) return false;
        const Call& call = calls_[next_];
        actions_.clear();
        for (const u64 request : call.requests) actions_.push_back(action(call.kind, request));
        mpi_call = {};
        mpi_call.function = call.function;
        mpi_call.index = next_++;
        mpi_call.actions = actions_;
        return true;
    }

  private:
    std::vector<Call> calls_;
    std::vector<Action> actions_;
    std::size_t next_ = 0;
};

/// "3:1,2 4 5": the calls by index, each with the requests of the run that it begins or of its own.
std::string read(std::vector<Call> calls) {
    CompletionRuns runs(Source(std::move(calls)), CompletionIdiomDetector::candidates());
    std::string text;
    for (MpiCall mpi_call; runs.next(mpi_call);) {
        text += (text.empty() ? "" : " ") + std::to_string(mpi_call.index);
        std::vector<u64> requests;
        for (const Action& one : mpi_call.actions) requests.push_back(one.request);
        if (runs.begun() != nullptr) requests = runs.begun()->requests;
        if (runs.begun() != nullptr) text += "*" + std::to_string(runs.begun()->calls);
        for (const u64 request : requests) text += ":" + std::to_string(request);
    }
    return text;
}

TEST(CompletionRunsTest, TellsAtItsFirstCallWhatARunCompletes) {
    EXPECT_EQ(read({{MpiFunction::Irecv, {7}, Kind::post_receive},
                    {MpiFunction::Waitany, {2}},
                    {MpiFunction::Waitany, {0}},
                    {MpiFunction::Waitany, {1}},
                    {MpiFunction::Wait, {7}}}),
              "0:7 1*3:2:0:1 2 3 4:7");
}

TEST(CompletionRunsTest, PollsThatCompleteNothingBelongToARun) {
    EXPECT_EQ(read({{MpiFunction::Testsome, {}},
                    {MpiFunction::Testsome, {1, 2}},
                    {MpiFunction::Testsome, {0}},
                    {MpiFunction::Barrier, {}}}),
              "0*3:1:2:0 1 2 3");
}

TEST(CompletionRunsTest, CallsThatCompleteNothingAreNoRun) {
    EXPECT_EQ(read({{MpiFunction::Testany, {}}, {MpiFunction::Send, {}}}), "0 1");
}

TEST(CompletionRunsTest, OneRunFollowsAnother) {
    EXPECT_EQ(read({{MpiFunction::Waitsome, {1}},
                    {MpiFunction::Isend, {5}, Kind::send},
                    {MpiFunction::Waitsome, {5}}}),
              "0*1:1 1:5 2*1:5");
}

TEST(CompletionRunsTest, ACancelledRequestIsNotChosen) {
    EXPECT_EQ(read({{MpiFunction::Waitany, {1}}, {MpiFunction::Waitany, {2}, Kind::cancelled}}),
              "0*1:1 1:2");
}

TEST(CompletionRunsTest, LongRunsAreCut) {
    const std::vector<Call> calls(10'000, {MpiFunction::Testany, {1}});
    CompletionRuns runs(Source(calls), CompletionIdiomDetector::candidates());
    u64 begun = 0;
    u64 in_runs = 0;
    u64 read = 0;
    for (MpiCall mpi_call; runs.next(mpi_call); ++read) {
        if (runs.begun() == nullptr) continue;
        ++begun;
        in_runs += runs.begun()->calls;
    }
    EXPECT_EQ(read, calls.size());
    EXPECT_EQ(in_runs, calls.size());
    EXPECT_EQ(begun, 3U);
}

/// What a rank calls until all is complete.
std::set<MpiFunction> surveyed(std::vector<Call> calls) {
    CompletionIdiomDetector survey;
    survey.begin_rank();
    CompletionRuns runs(Source(std::move(calls)), CompletionIdiomDetector::candidates());
    for (MpiCall mpi_call; runs.next(mpi_call);) survey.add(mpi_call, runs.begun());
    return survey.functions();
}

TEST(ChanceSurveyTest, ARunThatCompletesAllReceivesIsChance) {
    EXPECT_EQ(surveyed({{MpiFunction::Irecv, {1, 2}, Kind::post_receive},
                        {MpiFunction::Isend, {3}, Kind::send},
                        {MpiFunction::Waitany, {2}},
                        {MpiFunction::Waitany, {1}},
                        {MpiFunction::Wait, {3}, Kind::complete_send}}),
              std::set<MpiFunction>{MpiFunction::Waitany});
}

TEST(ChanceSurveyTest, ARunThatLeavesReceivesDecidesWhatComesNext) {
    EXPECT_TRUE(surveyed({{MpiFunction::Irecv, {1, 2}, Kind::post_receive},
                          {MpiFunction::Waitany, {2}},
                          {MpiFunction::Send, {}},
                          {MpiFunction::Irecv, {3}, Kind::post_receive},
                          {MpiFunction::Waitany, {3}},
                          {MpiFunction::Send, {}},
                          {MpiFunction::Waitany, {1}}})
                    .empty());
}

}  // namespace
}  // namespace tracefold
