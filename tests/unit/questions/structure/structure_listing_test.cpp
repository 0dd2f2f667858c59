// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/structure/structure_listing.hpp"

#include "file/call_names.hpp"
#include "questions/structure/structure_document.hpp"
#include "support/made_trace.hpp"
#include "support/sample_file.hpp"
#include "support/test_directory.hpp"

#include <algorithm>
#include <map>
#include <numeric>
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
        if (node.is_loop()) trips.push_back(node.counts[0].values.minimum);
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
            if (!node.is_loop()) listed += node.executions;
        }
    }
    u64 calls = 0;
    for (u32 symbol = 0; symbol < structure.symbols.size(); ++symbol) {
        calls += source_->counts().calls(symbol);
    }
    EXPECT_EQ(listed, calls);
}

/// A program whose two ranks send in a loop for setup, and twice in each step.
class PlacesTest : public ::testing::Test {
  protected:
    static constexpr u64 kSetup = 3;
    static constexpr u64 kSteps = 20;

    void SetUp() override {
        testing::MadeTrace trace({});
        for (u64 i = 0; i < kSetup; ++i) {
            send(trace, 100 + i, 4);
            for (u32 rank = 0; rank < 2; ++rank) trace.call(rank, "MPI_Barrier");
        }
        for (u64 step = 0; step < kSteps; ++step) {
            send(trace, 99, 512);
            for (u32 rank = 0; rank < 2; ++rank) trace.call(rank, "MPI_Comm_rank");
            send(trace, step % 2 == 0 ? 7 : 8, 64 + 8 * step);
            for (u32 rank = 0; rank < 2; ++rank) trace.call(rank, "MPI_Comm_size");
        }
        const std::string path = (directory_ / "places.tfold").string();
        trace.fold(path);
        file_.emplace(path);
        ListingSource source(*file_);
        script_ = list_script(source, 0, ParticipantList({0, 1}));
        list_places(source, 0, script_);
    }

    static void send(testing::MadeTrace& trace, u64 tag, u64 bytes) {
        for (u32 rank = 0; rank < 2; ++rank) {
            trace.call(rank, "MPI_Send", {{EventType::MpiSend, {1 - rank, 0, tag, bytes}}});
        }
    }

    /// What an argument of MPI_Send is at each place, by place.
    [[nodiscard]] std::vector<ValueSummary> sent(const std::string& name) const {
        std::vector<ValueSummary> values;
        for (const ListedPlace& listed : script_.places) {
            for (const ListedRecord& record : listed.records) {
                for (const ListedArgument& argument : record.arguments) {
                    if (argument.name == name) values.push_back(argument.variants.at(0).values);
                }
            }
        }
        return values;
    }

    TestDirectory directory_;
    std::optional<TraceFile> file_;
    ListedScript script_;
};

TEST_F(PlacesTest, HaveTheirOwnValues) {
    const std::vector<ValueSummary> tags = sent("msg_tag");
    const std::vector<ValueSummary> sizes = sent("msg_length");
    ASSERT_EQ(tags.size(), 3U);
    ASSERT_EQ(sizes.size(), 3U);
    std::map<u64, ValueOrder> orders;
    for (std::size_t i = 0; i < 3; ++i) {
        orders.emplace(tags[i].minimum, tags[i].order);
        switch (tags[i].minimum) {
            case 100:
                EXPECT_EQ(tags[i].step, 1U);
                EXPECT_EQ(sizes[i].values, (std::vector<u64>{4}));
                break;
            case 99:
                EXPECT_TRUE(tags[i].is_constant());
                EXPECT_EQ(sizes[i].values, (std::vector<u64>{512}));
                break;
            default:
                EXPECT_EQ(tags[i].values, (std::vector<u64>{7, 8}));
                EXPECT_EQ(sizes[i].order, ValueOrder::progression);
                EXPECT_EQ(sizes[i].step, 8U);
                EXPECT_EQ(sizes[i].distinct, kSteps);
        }
    }
    EXPECT_EQ(orders, (std::map<u64, ValueOrder>{{7, ValueOrder::in_turn},
                                                 {99, ValueOrder::none},
                                                 {100, ValueOrder::progression}}));
}

TEST_F(PlacesTest, AreFoundByWhereTheyStand) {
    for (const ListedPlace& listed : script_.places) {
        EXPECT_EQ(script_.find(listed.place), &listed);
    }
    EXPECT_EQ(script_.find({kNone, 1000}), nullptr);
}

/// The least and the greatest number of an argument; of several, once they are joined.
using Range = std::pair<u64, u64>;

Range range_of(const ListedArgument& argument) {
    Range range = {~u64{0}, 0};
    for (const ListedVariant& variant : argument.variants) {
        range.first = std::min(range.first, variant.values.minimum);
        range.second = std::max(range.second, variant.values.maximum);
    }
    return range;
}

/// Of all sizes, by name.
void join_sizes(const std::vector<ListedRecord>& records, std::map<std::string, Range>& sizes) {
    for (const ListedRecord& record : records) {
        for (const ListedArgument& argument : record.arguments) {
            if (argument.role != ValueRole::bytes) continue;
            const Range own = range_of(argument);
            auto [known, fresh] = sizes.try_emplace(record.name + argument.name, own);
            known->second.first = std::min(known->second.first, own.first);
            known->second.second = std::max(known->second.second, own.second);
        }
    }
}

TEST_F(StructureListingTest, PlacesDoTogetherWhatTheirNodeDoes) {
    u64 nodes = 0;
    for (const char* name : {"npb-lu.S-4", "micro-stencil2d9p-isend-4", "micro-rma-4"}) {
        SCOPED_TRACE(name);
        load(name);
        const Structure& structure = source_->structure();
        for (u32 number = 0; number < structure.scripts.size(); ++number) {
            if (structure.scripts[number].stream != Stream::events) continue;
            const ParticipantList& members = source_->counts().members_of_script(number);
            ListedScript script = list_script(*source_, number, ParticipantList(members));
            list_places(*source_, number, script);
            std::map<u32, std::map<std::string, Range>> at_places;
            for (const ListedPlace& listed : script.places) {
                join_sizes(listed.records, at_places[script.node_at(listed.place)]);
            }
            for (const auto& [node, sizes] : at_places) {
                std::map<std::string, Range> all;
                join_sizes(script.nodes[node].records, all);
                EXPECT_EQ(sizes, all) << script.nodes[node].name;
                nodes += all.empty() ? 0 : 1;
            }
        }
    }
    EXPECT_GT(nodes, 10U);
}

/// What list_functions() tells of the receivers, in the script of all or some ranks.
std::vector<std::string> told_places(testing::MadeTrace& trace, const std::vector<u32>& ranks) {
    TestDirectory directory;
    const std::string path = (directory / "made.tfold").string();
    trace.fold(path);
    TraceFile file(path);
    ListingSource source(file);
    std::vector<std::string> told;
    const std::vector<bool> all(file.location_count(), true);
    for_each_script(source, all, [&](u32 script, const ParticipantList& participants) {
        if (participants.members() != ranks) return;
        ListedScript listed = list_script(source, script, participants);
        list_functions(source, listed);
        for (const ListedNode& node : listed.nodes) {
            for (const ListedRecord& record : node.records) {
                for (const ListedArgument& argument : record.arguments) {
                    EXPECT_TRUE(argument.places.empty() || argument.name == "receiver");
                    told.insert(told.end(), argument.places.begin(), argument.places.end());
                }
            }
        }
    });
    return told;
}

void send_to(testing::MadeTrace& trace, u32 rank, u64 peer, u64 tag = 0) {
    trace.call(rank, "MPI_Send", {{EventType::MpiSend, {peer, 0, tag, 8}}});
}

std::vector<u32> first_ranks(u32 count) {
    std::vector<u32> ranks(count);
    std::iota(ranks.begin(), ranks.end(), 0U);
    return ranks;
}

/// The peers of a torus, and tags that are none of its functions.
TEST(ListedFunctionsTest, PeersAreToldAsPlacesOfTheGrid) {
    constexpr u32 kColumns = 4;
    constexpr u32 kRows = 3;
    testing::MadeTrace trace({.ranks = kColumns * kRows});
    for (int step = 0; step < 5; ++step) {
        for (u32 rank = 0; rank < kColumns * kRows; ++rank) {
            const u32 x = rank % kColumns;
            const u32 y = rank / kColumns;
            send_to(trace, rank, (x + 1) % kColumns + kColumns * y, 5);
            send_to(trace, rank, x + kColumns * ((y + kRows - 1) % kRows), rank * rank);
        }
    }
    EXPECT_EQ(told_places(trace, first_ranks(kColumns * kRows)),
              (std::vector<std::string>{"(x+1 mod 4, y)", "(x, y-1 mod 3)"}));
}

/// Partners of a reduction and the transposed place: NPB CG.
TEST(ListedFunctionsTest, PairsAndTransposedPlacesAreTold) {
    constexpr u32 kSide = 8;
    testing::MadeTrace trace({.ranks = kSide * kSide});
    for (u32 rank = 0; rank < kSide * kSide; ++rank) {
        send_to(trace, rank, rank ^ 2U);
        send_to(trace, rank, rank ^ 1U);
        send_to(trace, rank, rank / kSide + rank % kSide * kSide);
    }
    const auto told = told_places(trace, first_ranks(kSide * kSide));
    EXPECT_EQ(told, (std::vector<std::string>{"rank^2", "rank^1", "(y, x)"}));
}

/// A coarse level on which only even coordinates take part: NPB MG.
TEST(ListedFunctionsTest, PeersOfSomeRanksAreToldWhereTheyAreEquallyFar) {
    constexpr u32 kSide = 4;
    testing::MadeTrace trace({.ranks = kSide * kSide});
    std::vector<u32> even;
    for (u32 rank = 0; rank < kSide * kSide; ++rank) {
        const u32 x = rank % kSide;
        const u32 y = rank / kSide;
        send_to(trace, rank, (x + 3) % kSide + kSide * y);
        if (x % 2 != 0 || y % 2 != 0) continue;
        even.push_back(rank);
        trace.call(rank, "MPI_Barrier", {});
        send_to(trace, rank, (x + 3) % kSide + kSide * ((y + 3) % kSide));
    }
    EXPECT_EQ(told_places(trace, even),
              (std::vector<std::string>{"(x-1 mod 4, y)", "(x-1 mod 4, y-1 mod 4)"}));
}

}  // namespace
}  // namespace tracefold
