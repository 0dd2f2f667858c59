// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/proxy/proxy_model.hpp"
#include "support/made_trace.hpp"
#include "support/sample_file.hpp"
#include "support/test_directory.hpp"

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

ProxyModel model_of(const char* sample, SameCalls same = SameCalls::by_function) {
    SampleFile file(sample);
    ProxyCallReader calls(*file, {});
    return build_proxy_model(calls, same);
}

TEST(BuildModelTest, EveryRankHasOneScript) {
    const ProxyModel model = model_of("npb-lu.S-4");
    EXPECT_EQ(model.ranks, 4U);
    std::set<u32> ranks;
    for (const ProxyScript& script : model.scripts) {
        for (const u32 rank : script.ranks) EXPECT_TRUE(ranks.insert(rank).second);
    }
    EXPECT_EQ(ranks.size(), 4U);
    EXPECT_TRUE(model.left_out.empty());
}

TEST(BuildModelTest, NamesWhatItLeavesOut) {
    const ProxyModel model = model_of("micro-pcoll-4");
    EXPECT_TRUE(model.left_out.contains("MPI_Allreduce_init"));
    EXPECT_FALSE(model.left_out.contains("MPI_Comm_rank"));
    EXPECT_TRUE(model.local.contains("MPI_Comm_rank"));
    u64 missing = 0;
    for (const auto& [name, calls] : model.left_out) missing += calls;
    for (const auto& [name, calls] : model.local) missing += calls;
    // The others are those of MPI_Init and MPI_Finalize, which every program has.
    EXPECT_EQ(model.calls + missing + 2 * u64{model.ranks}, model.read_calls);
}

/// The record tells of another operation than the name of the function.
TEST(BuildModelTest, LeavesOutCollectivesWhoseRecordsDoNotFit) {
    testing::MadeTrace trace({.ranks = 2});
    const auto all_call = [&](const std::string& function, CollectiveKind kind) {
        for (u32 rank = 0; rank < 2; ++rank) {
            trace.call(rank, function,
                       {{EventType::MpiCollectiveBegin, {}},
                        {EventType::MpiCollectiveEnd, {static_cast<u64>(kind), 0, 0, 8, 8}}});
        }
    };
    const auto plain = [&](const std::string& function) {
        for (u32 rank = 0; rank < 2; ++rank) trace.call(rank, function);
    };
    plain("MPI_Init");
    all_call("MPI_Gatherv", CollectiveKind::gather);
    all_call("MPI_Gather", CollectiveKind::gatherv);
    all_call("MPI_Alltoallv", CollectiveKind::allgatherv);
    plain("MPI_Finalize");
    const TestDirectory directory;
    const std::string path = (directory / "made.tfold").string();
    trace.fold(path);
    TraceFile file(path);
    ProxyCallReader calls(file, {});
    const ProxyModel model = build_proxy_model(calls, SameCalls::by_function);
    EXPECT_EQ(model.left_out, (std::map<std::string, u64>{
                                  {"MPI_Alltoallv", 2}, {"MPI_Gather", 2}, {"MPI_Gatherv", 2}}));
}

TEST(BuildModelTest, TakesThreadsThatDoNotCallMpi) {
    EXPECT_EQ(model_of("micro-omphyb-4").ranks, 4U);
}

TEST(BuildModelTest, UnitesRanksThatHaveMostCallsInCommon) {
    const ProxyModel model = model_of("npb-lu.S-4", SameCalls::by_tag);
    EXPECT_EQ(model.scripts_of_ranks, 4U);
    EXPECT_EQ(model.scripts.size(), 1U);
}

TEST(BuildModelTest, MakesTheSameCallsWhateverIsTakenForTheSame) {
    EXPECT_EQ(model_of("micro-anysrc-4").calls,
              model_of("micro-anysrc-4", SameCalls::by_tag).calls);
}

/// Ticks between the calls of all ranks that reach other processes.
u64 computation_of(TraceFile& file) {
    u64 ticks = 0;
    for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
        MpiCallReader program(file, mpi_locations(file, rank).front());
        u64 last_end = 0;
        for (MpiCall call; program.next(call);) {
            if (call.family == CallFamily::local) continue;
            if (call.family == CallFamily::finalize) break;
            if (call.family != CallFamily::init) ticks += call.begin - last_end;
            last_end = call.end;
        }
    }
    return ticks;
}

TEST(BuildModelTest, SharesOutAllComputationAmongThePlaces) {
    SampleFile file("npb-lu.S-4", TimingLevel::exact);
    const u64 wanted = computation_of(*file);
    EXPECT_GT(wanted, 0U);
    for (const SameCalls same : {SameCalls::by_function, SameCalls::by_tag}) {
        ProxyCallReader calls(*file, {});
        u64 ticks = 0;
        for (const ProxyScript& script : build_proxy_model(calls, same).scripts) {
            for (const ProxyPlace& place : script.places) ticks += place.ticks;
        }
        EXPECT_EQ(ticks, wanted);
    }
}

}  // namespace
}  // namespace tracefold
