// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "proxy/build_model.hpp"

#include "unit/pipeline/sample_file.hpp"

#include <set>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(BuildModelTest, EveryRankHasOneScript) {
    SampleFile file("npb-lu.S-4");
    const ProxyModel model = build_proxy_model(*file);
    EXPECT_EQ(model.ranks, 4U);
    std::set<u32> ranks;
    for (const ProxyScript& script : model.scripts) {
        for (const u32 rank : script.ranks) EXPECT_TRUE(ranks.insert(rank).second);
    }
    EXPECT_EQ(ranks.size(), 4U);
    EXPECT_TRUE(model.left_out.empty());
}

TEST(BuildModelTest, NamesWhatItLeavesOut) {
    SampleFile file("micro-rma-4");
    const ProxyModel model = build_proxy_model(*file);
    EXPECT_TRUE(model.left_out.contains("MPI_Put"));
    EXPECT_FALSE(model.left_out.contains("MPI_Comm_rank"));
    EXPECT_TRUE(model.local.contains("MPI_Comm_rank"));
    u64 missing = 0;
    for (const auto& [name, calls] : model.left_out) missing += calls;
    for (const auto& [name, calls] : model.local) missing += calls;
    // The others are those of MPI_Init and MPI_Finalize, which every program has.
    EXPECT_EQ(model.calls + missing + 2 * u64{model.ranks}, model.read_calls);
}

TEST(BuildModelTest, TakesThreadsThatDoNotCallMpi) {
    SampleFile file("micro-omphyb-4");
    EXPECT_EQ(build_proxy_model(*file).ranks, 4U);
}

}  // namespace
}  // namespace tracefold
