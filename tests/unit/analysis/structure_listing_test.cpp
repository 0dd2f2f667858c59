// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/structure_listing.hpp"

#include "query/listing_source.hpp"
#include "support/sample_file.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

class StructureListingTest : public ::testing::Test {
  protected:
    void load(const std::string& name) {
        file_.emplace(name);
        source_.emplace(**file_);
    }

    /// The only script, for all or some of its participants.
    ListedScript list(const std::vector<u32>& members) {
        return list_script(*source_, 0, ParticipantList(members));
    }

    static const ListedNode& node(const ListedScript& script, const std::string& name) {
        return *std::find_if(script.nodes.begin(), script.nodes.end(),
                             [&name](const ListedNode& other) { return other.name == name; });
    }
    static const ListedArgument& argument(const ListedNode& call, const std::string& name) {
        for (const ListedRecord& record : call.records) {
            for (const ListedArgument& argument : record.arguments) {
                if (argument.name == name) return argument;
            }
        }
        throw std::out_of_range(name);
    }

    std::optional<SampleFile> file_;
    std::optional<ListingSource> source_;
};

TEST_F(StructureListingTest, LoopsOfAStencil) {
    load("micro-stencil2d9p-isend-4");
    const ListedScript script = list({0, 1, 2, 3});
    std::vector<u64> trips;
    for (const ListedNode& node : script.nodes) {
        if (node.kind == ListedNode::Kind::loop) trips.push_back(node.counts[0].values.minimum);
    }
    std::sort(trips.begin(), trips.end());
    EXPECT_EQ(trips, (std::vector<u64>{5, 10}));
    const ListedNode& send = node(script, "MPI_Isend");
    EXPECT_EQ(send.executions, 600U);
    EXPECT_EQ(send.counts[0].values.values, (std::vector<u64>{3}));
    EXPECT_EQ(argument(send, "receiver").variants.size(), 4U);
    const ListedArgument& allreduce = argument(node(script, "MPI_Allreduce"), "payload");
    EXPECT_EQ(allreduce.role, ValueRole::bytes);
    EXPECT_EQ(allreduce.variants[0].values.values, (std::vector<u64>{8}));
}

TEST_F(StructureListingTest, ReceivesShowTheirDataWhereTheyArePosted) {
    load("micro-stencil2d9p-isend-4");
    const ListedScript script = list({0});
    const ListedNode& receive = node(script, "MPI_Irecv");
    EXPECT_EQ(argument(receive, "msg_length").variants[0].values.values,
              (std::vector<u64>{512, 8}));
    EXPECT_EQ(argument(receive, "sender").variants[0].values.distinct, 3U);
}

TEST_F(StructureListingTest, SomeParticipantsOnly) {
    load("micro-stencil2d9p-isend-4");
    const ListedScript script = list({1, 3});
    EXPECT_EQ(script.participants.members(), (std::vector<u32>{1, 3}));
    EXPECT_EQ(node(script, "MPI_Isend").executions, 300U);
    EXPECT_EQ(argument(node(script, "MPI_Isend"), "receiver").variants.size(), 2U);
}

TEST_F(StructureListingTest, ExecutionsOfAllScriptsAreTheCalls) {
    load("micro-omphyb-4");
    u64 listed = 0;
    const Structure& structure = source_->structure();
    for (u32 script = 0; script < structure.scripts.size(); ++script) {
        const ListedScript content = list_script(
            *source_, script, ParticipantList(source_->counts().members_of_script(script)));
        for (const ListedNode& node : content.nodes) {
            if (node.kind != ListedNode::Kind::loop) listed += node.executions;
        }
    }
    u64 calls = 0;
    for (u32 symbol = 0; symbol < structure.symbols.size(); ++symbol) {
        calls += source_->counts().calls(symbol);
    }
    EXPECT_EQ(listed, calls);
}

}  // namespace
}  // namespace tracefold
