// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/definition_index.hpp"

#include "support/definition_writer.hpp"
#include "support/record_builder.hpp"

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

std::vector<u32> listed(std::span<const u32> numbers) { return {numbers.begin(), numbers.end()}; }

/// Seven ranks: 0 2 4 6 are even, 1 3 5 are odd.
class DefinitionIndexTest : public ::testing::Test {
  protected:
    [[nodiscard]] RankView view(u64 comm, u32 me) const { return index_.view(comm, me); }

    const SmallWorld world_{7};
    const DefinitionIndex& index_ = world_.definitions();
};

void expect_view(const RankView& view, u32 rank, u32 size) {
    EXPECT_EQ(view.rank, rank);
    EXPECT_EQ(view.size, size);
}

TEST_F(DefinitionIndexTest, LocationsHaveRanksByTheGroupOfLocations) {
    EXPECT_EQ(index_.world_size(), 7U);
    ASSERT_EQ(index_.locations().size(), 8U);
    for (u32 rank = 0; rank < 7; ++rank) {
        EXPECT_EQ(index_.locations()[rank].id, 100 + 3 * rank);
        EXPECT_EQ(index_.locations()[rank].event_count, 50U);
        EXPECT_EQ(index_.world_rank(index_.locations()[rank]), rank);
    }
    EXPECT_EQ(index_.world_rank(index_.locations()[7]), std::nullopt);
    EXPECT_EQ(listed(index_.locations_of_rank(3)), std::vector<u32>{3});
    EXPECT_EQ(index_.definition_of_rank(3), "location 109");
}

TEST_F(DefinitionIndexTest, AThreadHasTheRankOfItsProcess) {
    LocationDefinition thread = index_.locations()[3];
    thread.id = 4711;
    EXPECT_EQ(index_.world_rank(thread), 3U);
}

TEST_F(DefinitionIndexTest, WorldIsSeenAsItIs) {
    for (u32 me = 0; me < 7; ++me) {
        expect_view(view(kWorld, me), me, 7);
        expect_view(view(kLocations, me), me, 7);
    }
}

TEST_F(DefinitionIndexTest, SelfHasOneMemberThoughItsGroupHasNone) {
    for (u32 me = 0; me < 7; ++me) expect_view(view(kSelf, me), 0, 1);
}

TEST_F(DefinitionIndexTest, SubCommunicatorsHaveRanksOfTheirOwn) {
    expect_view(view(kEven, 0), 0, 4);
    expect_view(view(kEven, 6), 3, 4);
    expect_view(view(kOdd, 5), 2, 3);
    for (u32 me = 0; me < 7; ++me) expect_view(view(kReversed, me), 6 - me, 7);
}

TEST_F(DefinitionIndexTest, WhoIsNoMemberSeesNothing) {
    EXPECT_EQ(view(kEven, 1), RankView{});
    EXPECT_EQ(view(kOdd, 0), RankView{});
    EXPECT_EQ(view(kWorld, 7), RankView{});
}

TEST_F(DefinitionIndexTest, IntercommunicatorsHaveTheOtherSidesSize) {
    expect_view(view(kInter, 2), 1, 3);
    expect_view(view(kInter, 5), 2, 4);
    EXPECT_EQ(view(kInter, 7), RankView{});
}

TEST_F(DefinitionIndexTest, UnknownCommunicatorsAreSeenAsNothing) {
    EXPECT_EQ(view(kUnknown, 0), RankView{});
    EXPECT_EQ(view(kNoGroup, 0), RankView{});
    EXPECT_EQ(view(kNone, 0), RankView{});
}

TEST_F(DefinitionIndexTest, WindowsLeadToTheirCommunicator) {
    EXPECT_EQ(index_.window_communicator(kWorldWindow), kWorld);
    EXPECT_EQ(index_.window_communicator(kEvenWindow), kEven);
    EXPECT_EQ(index_.window_communicator(55), kNone);
}

TEST_F(DefinitionIndexTest, KnowsNames) {
    const u64 waitall = static_cast<u64>(Region::waitall);
    EXPECT_EQ(index_.region_name(waitall), "MPI_Waitall");
    EXPECT_EQ(index_.region_name(index_.region_of_context(waitall)), "MPI_Waitall");
    EXPECT_EQ(index_.communicator_name(kWorld), "MPI_COMM_WORLD");
    EXPECT_EQ(index_.communicator_name(kInter), "bridge");
    EXPECT_EQ(index_.location_group_name(10), "MPI Rank");
    EXPECT_EQ(index_.attribute_name(0), "Offset");
    EXPECT_EQ(index_.string(0), "main");
}

TEST_F(DefinitionIndexTest, SaysAQuestionMarkWhereNothingIsDefined) {
    EXPECT_EQ(index_.string(12345), "?");
    EXPECT_EQ(index_.region_name(12345), "?");
    EXPECT_EQ(index_.region_name(kNone), "?");
    EXPECT_EQ(index_.communicator_name(kUnknown), "?");
    EXPECT_EQ(index_.attribute_name(9), "?");
    EXPECT_EQ(index_.region_of_context(12345), kNone);
}

TEST_F(DefinitionIndexTest, KnowsTheClock) {
    EXPECT_EQ(index_.tick_rate().ticks_per_second(), 1'000'000'000U);
    EXPECT_EQ(index_.clock_offset(), 500U);
}

TEST_F(DefinitionIndexTest, AWorldWithoutMpiHasNoRanks) {
    DefinitionIndex index;
    RecordBatch batch;
    batch.begin(static_cast<u8>(DefinitionType::Location));
    for (const u64 value : {5U, 0U, 1U, 2U, 3U}) batch.push(value);
    // The locations of another paradigm, OpenMP.
    batch.begin(static_cast<u8>(DefinitionType::Group));
    for (const u64 value : {0U, 0U, 4U, 3U, 0U, 1U, 5U}) batch.push(value);
    index.add(batch);
    index.finish();
    EXPECT_EQ(index.world_size(), 0U);
    EXPECT_EQ(index.world_rank(index.locations()[0]), std::nullopt);
}

/// Index of what `define` writes.
template <class Define>
DefinitionIndex index_of(const Define& define) {
    DefinitionWriter writer;
    define(writer);
    DefinitionIndex index;
    index.add(writer.batch());
    index.finish();
    return index;
}

TEST(DefinitionsOfOthersTest, FunctionsOfMpiAreKnownByNameWhereNothingSaysWhoseTheyAre) {
    static constexpr u64 kUnknown = 0;
    static constexpr u64 kUser = 1;
    const DefinitionIndex index = index_of([](DefinitionWriter& writer) {
        u64 id = 0;
        for (const auto& [name, paradigm] :
             {std::pair("MPI_Send()", kParadigmMpi), std::pair("mpi_send_", kUnknown),
              std::pair("solve", kUnknown), std::pair("MPI_Send", kUser)}) {
            const u64 text = writer.string(name);
            writer.add(DefinitionType::Region, {id++, text, text, text, 0, paradigm, 0, 0, 0, 0});
        }
    });
    EXPECT_TRUE(index.is_mpi_region(0));
    EXPECT_TRUE(index.is_mpi_region(1));
    EXPECT_FALSE(index.is_mpi_region(2));
    EXPECT_FALSE(index.is_mpi_region(3));
}

TEST(DefinitionsOfOthersTest, MetricsTellSizesByTheirNames) {
    const DefinitionIndex index = index_of([](DefinitionWriter& writer) {
        u64 id = 0;
        for (const char* name : {"PAPI_TOT_CYC", "Message size for broadcast"}) {
            const u64 text = writer.string(name);
            writer.add(DefinitionType::MetricMember, {id, text, text, 0, 0, 0, 0, 0, text});
            writer.add(DefinitionType::MetricClass, {10 + id, 1, id, 0, 0});
            ++id;
        }
    });
    EXPECT_TRUE(index.has_collective_sizes());
    EXPECT_FALSE(index.tells_collective_size(10));
    EXPECT_TRUE(index.tells_collective_size(11));
    EXPECT_FALSE(index.tells_collective_size(12));
}

TEST_F(DefinitionIndexTest, OfSeveralCommunicatorsNoneIsTheOnlyOne) {
    EXPECT_EQ(index_.only_communicator(), kNone);
    const DefinitionIndex index = index_of([](DefinitionWriter& writer) {
        const u64 text = writer.string("");
        writer.add(DefinitionType::Group, {0, text, kGroupCommLocations, kParadigmMpi, 0, 2, 7, 9});
        writer.add(DefinitionType::Group, {1, text, kGroupCommGroup, kParadigmMpi, 0, 2, 0, 1});
        writer.add(DefinitionType::Group, {2, text, kGroupCommSelf, kParadigmMpi, 0, 0});
        writer.add(DefinitionType::Comm, {5, text, 1, kNone, 0});
        writer.add(DefinitionType::Comm, {6, text, 2, kNone, 0});
    });
    EXPECT_EQ(index.only_communicator(), 5U);
}

/// Locations of three processes, of which MPI knows only that the first and the last one defined
/// are its ranks 1 and 0.
class RanksOfGroupsTest : public ::testing::Test {
  protected:
    void add(DefinitionType type, const std::vector<u64>& values) {
        batch_.begin(static_cast<u8>(type));
        for (const u64 value : values) batch_.push(value);
    }
    void location(u64 id, u64 type, u64 events, u64 group) {
        add(DefinitionType::Location, {id, 0, type, events, group});
    }
    DefinitionIndex index(const std::vector<u64>& ranks) {
        std::vector<u64> group = {0, 0, kGroupCommLocationGroups, kParadigmMpi, 0, ranks.size()};
        group.insert(group.end(), ranks.begin(), ranks.end());
        add(DefinitionType::Group, group);
        add(DefinitionType::Comm, {0, 0, 0, kNone, 0});
        DefinitionIndex made;
        made.add(batch_);
        made.finish();
        return made;
    }

    static constexpr u64 kThread = 1;
    static constexpr u64 kDevice = 2;

  private:
    RecordBatch batch_;
};

TEST_F(RanksOfGroupsTest, ARankHasAllLocationsOfItsGroup) {
    location(50, kThread, 10, 7);
    location(51, kThread, 10, 8);
    location(52, kThread, 10, 7);
    const DefinitionIndex made = index({8, 7});
    EXPECT_TRUE(made.ranks_are_groups());
    ASSERT_EQ(made.world_size(), 2U);
    EXPECT_EQ(listed(made.locations_of_rank(0)), std::vector<u32>{1});
    EXPECT_EQ(listed(made.locations_of_rank(1)), (std::vector<u32>{0, 2}));
    EXPECT_EQ(made.world_rank(made.locations()[2]), 1U);
    expect_view(made.view(0, 1), 1, 2);
}

TEST_F(RanksOfGroupsTest, ThreadsWithEventsStandBeforeOthers) {
    location(50, kDevice, 10, 7);
    location(51, kThread, 0, 7);
    location(52, kThread, 10, 7);
    EXPECT_EQ(listed(index({7}).locations_of_rank(0)), (std::vector<u32>{2, 0, 1}));
}

TEST_F(RanksOfGroupsTest, ARankMayHaveNoLocation) {
    location(50, kThread, 10, 7);
    const DefinitionIndex made = index({7, 9});
    EXPECT_EQ(made.world_size(), 2U);
    EXPECT_TRUE(made.locations_of_rank(1).empty());
    EXPECT_EQ(made.definition_of_rank(1), "location group 9");
}

}  // namespace
}  // namespace tracefold
