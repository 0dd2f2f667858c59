// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/profile_table.hpp"

#include "support/made_trace.hpp"
#include "support/test_directory.hpp"

#include <sstream>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using testing::MadeTrace;

/// The lines of a table without that of its columns.
template <class Put>
std::string rows_of(const Put& put) {
    std::ostringstream out;
    CsvTable table(out);
    put(table);
    const std::string text = out.str();
    return text.substr(text.find('\n') + 1);
}

/// Two ranks with a clock of nanoseconds. Rank 0 is in main for 1000 ticks, in which it works for
/// 300 and then for 200; rank 1 is there for 800 ticks, and works for 100.
class ProfileTableTest : public ::testing::Test {
  protected:
    TraceProfile profile(ProfileGroups by) {
        MadeTrace trace({.ranks = 2});
        const auto enter = [&trace](u32 rank, u64 time, const char* name) {
            trace.at(time);
            trace.record(rank, 0, EventType::Enter, {trace.region(name)});
        };
        const auto leave = [&trace](u32 rank, u64 time, const char* name) {
            trace.at(time);
            trace.record(rank, 0, EventType::Leave, {trace.region(name)});
        };
        enter(0, 0, "main");
        enter(0, 100, "work");
        leave(0, 400, "work");
        enter(0, 500, "work");
        leave(0, 700, "work");
        leave(0, 1000, "main");
        enter(1, 0, "main");
        enter(1, 200, "work");
        leave(1, 300, "work");
        leave(1, 800, "main");
        const std::string path = (directory_ / "made.tfold").string();
        trace.fold(path);
        TraceFile file(path);
        SerialCommunicator comm;
        ProfileRequest request;
        request.selected = {true, true};
        request.by = by;
        return trace_profile(comm, file, request);
    }

    TestDirectory directory_;
};

TEST_F(ProfileTableTest, APathHasARowPerMetricWithItsMoments) {
    const TraceProfile made = profile(ProfileGroups::none);
    const std::vector<u32> nodes = nodes_down_to(made, kNone);
    // Sum, least, greatest, mean and deviation: inclusive, then exclusive. main: 1000 and 800
    // ticks, of which 500 and 700 are its own; work: 500 and 100.
    EXPECT_EQ(rows_of([&](TableSink& table) { put_profile(made, nodes, table); }),
              "0,,0,main,visits,5,2,3,2.5,0.5,2,1,1,1,0\n"
              "0,,0,main,time,1.8e-06,8e-07,1e-06,9e-07,1e-07,"
              "1.2e-06,5e-07,7e-07,6e-07,1e-07\n"
              "1,0,1,main/work,visits,3,1,2,1.5,0.5,3,1,2,1.5,0.5\n"
              "1,0,1,main/work,time,6e-07,1e-07,5e-07,3e-07,2e-07,"
              "6e-07,1e-07,5e-07,3e-07,2e-07\n");
}

TEST_F(ProfileTableTest, NodesBelowTheDepthAreLeftOut) {
    const TraceProfile made = profile(ProfileGroups::none);
    EXPECT_EQ(nodes_down_to(made, 0), std::vector<u32>{0});
    EXPECT_EQ(nodes_down_to(made, 1), (std::vector<u32>{0, 1}));
}

TEST_F(ProfileTableTest, ByGroupEveryRankHasItsValue) {
    const TraceProfile made = profile(ProfileGroups::rank);
    const std::vector<u32> work = {1};
    EXPECT_EQ(rows_of([&](TableSink& table) { put_profile_by(made, work, "rank", table); }),
              "1,0,1,main/work,0,visits,2,2\n"
              "1,0,1,main/work,0,time,5e-07,5e-07\n"
              "1,0,1,main/work,1,visits,1,1\n"
              "1,0,1,main/work,1,time,1e-07,1e-07\n");
}

/// Two ranks of MPI, with a clock of a tick per second.
Efficiency measured() {
    Efficiency data;
    data.rate = TickRate(1);
    data.runtime = 10;
    data.ideal_runtime = {8, 8};
    RankEfficiency rank{.rank = 0,
                        .begin = 0,
                        .end = 10,
                        .computation = 8,
                        .mpi = 2,
                        .io = 1,
                        .ideal = {8, 8},
                        .init = 5};
    data.ranks.push_back(rank);
    rank = {.rank = 1,
            .begin = 0,
            .end = 10,
            .computation = 6,
            .mpi = 4,
            .ideal = {7, 7},
            .finalize = 2};
    rank.waits[static_cast<std::size_t>(WaitKind::late_sender)] = 3;
    data.ranks.push_back(rank);
    data.names = {"0", "1"};
    data.load_balance = 0.875;
    data.communication = 0.8;
    data.parallel = 0.7;
    data.serialisation = 1;
    data.transfer = 0.8;
    data.waits = {{"main/MPI_Recv", 1, 1, WaitKind::late_sender, 2, 3}};
    return data;
}

TEST(EfficiencyTableTest, EveryFigureHasARow) {
    const EfficiencyFigures figures{measured(), {"0", "1"}, {}};
    EXPECT_EQ(rows_of([&](TableSink& table) { put_efficiency(figures, table); }),
              "program,,,runtime,10\n"
              "program,,,ideal_runtime,8\n"
              "efficiency,,,parallel,0.7\n"
              "efficiency,,,load_balance,0.875\n"
              "efficiency,,,communication,0.8\n"
              "efficiency,,,serialisation,1\n"
              "efficiency,,,transfer,0.8\n"
              "rank,,0,computation,8\nrank,,0,overhead,0\nrank,,0,mpi,2\nrank,,0,io,1\n"
              "rank,,0,polling,0\nrank,,0,init,5\nrank,,0,finalize,0\nrank,,0,other_mpi,1\nrank,,0,"
              "ideal,8\n"
              "rank,,1,computation,6\nrank,,1,overhead,0\nrank,,1,mpi,4\nrank,,1,io,0\n"
              "rank,,1,polling,0\nrank,,1,init,0\nrank,,1,finalize,2\nrank,,1,other_mpi,1\nrank,,1,"
              "ideal,7\n"
              "wait,main/MPI_Recv,1,late_sender,3\n");
}

TEST(EfficiencyTableTest, WhatWasNotComputedHasNoRow) {
    EfficiencyFigures figures{measured(), {"0", "1"}, {}};
    figures.data.threads_call_mpi = true;  // no ideal network, and waits are of threads
    figures.data.serialisation.reset();
    figures.data.transfer.reset();
    figures.labels = {"0", "1.0"};
    EXPECT_EQ(rows_of([&](TableSink& table) { put_efficiency(figures, table); }),
              "program,,,runtime,10\n"
              "efficiency,,,parallel,0.7\n"
              "efficiency,,,load_balance,0.875\n"
              "efficiency,,,communication,0.8\n"
              "rank,,0,computation,8\nrank,,0,overhead,0\nrank,,0,mpi,2\nrank,,0,io,1\n"
              "rank,,0,polling,0\nrank,,0,init,5\nrank,,0,finalize,0\nrank,,0,other_mpi,1\n"
              "rank,,1,computation,6\nrank,,1,overhead,0\nrank,,1,mpi,4\nrank,,1,io,0\n"
              "rank,,1,polling,0\nrank,,1,init,0\nrank,,1,finalize,2\nrank,,1,other_mpi,1\n"
              "wait,main/MPI_Recv,1.0,late_sender,3\n");
}

TEST(EfficiencyTableTest, FactorsAreProductsOfThoseALevelDeeper) {
    Efficiency data = measured();
    data.has_threads = true;
    data.device_offload = 0.5;
    std::vector<std::pair<std::string_view, int>> tree;
    for (const EfficiencyFactor& factor : factors(data))
        tree.emplace_back(factor.name, factor.level);
    const std::vector<std::pair<std::string_view, int>> expected = {{"host", 0},
                                                                    {"hybrid", 1},
                                                                    {"parallel", 2},
                                                                    {"load_balance", 3},
                                                                    {"communication", 3},
                                                                    {"serialisation", 4},
                                                                    {"transfer", 4},
                                                                    {"thread_parallel", 2},
                                                                    {"thread_load_balance", 3},
                                                                    {"thread_communication", 3},
                                                                    {"device_offload", 1}};
    EXPECT_EQ(tree, expected);
}

TEST(EfficiencyTableTest, ThreadsDevicesAndProcessesWithoutEventsHaveRows) {
    EfficiencyFigures figures;
    Efficiency& data = figures.data;
    data.rate = TickRate(10);
    data.runtime = 20;
    data.has_mpi = false;
    data.has_processes = false;
    data.has_threads = true;
    data.thread_parallel = 0.5;
    data.gaps.without_events = ParticipantList({3});
    data.gaps.silent_threads = 2;
    ThreadTimes thread;
    thread.mpi = 4;
    thread.uses[static_cast<std::size_t>(ThreadUse::work)] = 15;
    data.threads.threads = {thread};
    data.devices = {{"GPU 0", 0, 1, 30, 20, 5}};
    figures.labels = {"0.1"};
    const std::string rows = rows_of([&](TableSink& table) { put_efficiency(figures, table); });
    for (const char* row :
         {"program,,,runtime,2\n", "efficiency,,,thread_parallel,0.5\n",
          "left_out,,3,no_events,1\n", "left_out,,,threads,2\n", "thread,,0.1,computation,1.5\n",
          "thread,,0.1,communication,0.4\n", "device,GPU 0,0,kernel,2\n",
          "device,GPU 0,0,copy,0.5\n", "device,GPU 0,0,seconds,3\n"}) {
        EXPECT_NE(rows.find(row), std::string::npos) << row << "is none of\n" << rows;
    }
    EXPECT_EQ(rows.find("ideal"), std::string::npos);
}

}  // namespace
}  // namespace tracefold
