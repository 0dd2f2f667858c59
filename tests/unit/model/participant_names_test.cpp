// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/participant_names.hpp"

#include "model/definition_table.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

ParticipantList grid(u32 start, u32 rows, u32 row_stride, u32 columns) {
    std::vector<u32> members;
    for (u32 row = 0; row < rows; ++row) {
        for (u32 column = 0; column < columns; ++column) {
            members.push_back(start + row * row_stride + column);
        }
    }
    return ParticipantList(members);
}

TEST(SetTextTest, Progressions) {
    EXPECT_EQ(set_text(ParticipantList({5})), "5");
    EXPECT_EQ(set_text(ParticipantList({0, 1, 2, 3})), "0-3");
    EXPECT_EQ(set_text(ParticipantList({0, 2, 4, 6})), "0-6:2");
    EXPECT_EQ(set_text(ParticipantList({3, 9})), "3,9");
    EXPECT_EQ(set_text(ParticipantList({3, 4, 9})), "3-4,9");
}

TEST(SetTextTest, SetsOfSetsAreRecursive) {
    EXPECT_EQ(set_text(grid(0, 4, 8, 3)), "<0,(8,4),(1,3)>");
    EXPECT_EQ(set_text(grid(9, 6, 8, 6)), "<9,(8,6),(1,6)>");
    EXPECT_EQ(set_text(grid(0, 2, 8, 3)), "0-2,8-10");
    std::vector<u32> cube;
    for (u32 plane = 0; plane < 3; ++plane) {
        for (const u32 member : grid(plane * 100, 3, 10, 2).members()) cube.push_back(member);
    }
    EXPECT_EQ(set_text(ParticipantList(cube)), "<0,(100,3),(10,3),(1,2)>");
}

/// Two ranks with three and two locations, then a location that MPI does not know.
DefinitionIndex threaded() {
    DefinitionIndex index;
    RecordBatch batch;
    const auto put = [&batch](DefinitionType type, const std::vector<u64>& values) {
        batch.begin(static_cast<u8>(type));
        for (const u64 value : values) batch.push(value);
    };
    for (const auto& [id, group] :
         std::vector<std::pair<u64, u64>>{{10, 0}, {11, 0}, {12, 0}, {20, 1}, {21, 1}, {30, 2}}) {
        put(DefinitionType::Location, {id, 0, 1, 0, group});
    }
    put(DefinitionType::Group, {0, 0, 4, 4, 0, 2, 11, 20});
    index.add(batch);
    index.finish();
    return index;
}

TEST(ParticipantNamesTest, Labels) {
    const DefinitionIndex definitions = threaded();
    const ParticipantNames names(definitions);
    std::vector<std::string> labels;
    for (u32 location = 0; location < 6; ++location) labels.push_back(names.label(location));
    EXPECT_EQ(labels, (std::vector<std::string>{"0.1", "0", "0.2", "1", "1.1", "@5"}));
}

TEST(ParticipantNamesTest, ProcessesWithoutRankAreNumberedAfterTheRanks) {
    const DefinitionIndex definitions = threaded();
    std::vector<std::pair<u32, u32>> places;
    for (const auto& place : ParticipantNames(definitions).numbered_places()) {
        places.emplace_back(place.rank, place.thread);
    }
    const std::vector<std::pair<u32, u32>> expected{{0, 1}, {0, 0}, {0, 2}, {1, 0}, {1, 1}, {2, 0}};
    EXPECT_EQ(places, expected);
}

TEST(ParticipantNamesTest, ThreadsOfTheSameRanksGoTogether) {
    const DefinitionIndex definitions = threaded();
    const ParticipantNames names(definitions);
    EXPECT_EQ(names.text(ParticipantList({1, 3})), "ranks 0-1");
    EXPECT_EQ(names.text(ParticipantList({0, 2})), "rank 0 threads 1-2");
    EXPECT_EQ(names.text(ParticipantList({0, 4})), "ranks 0-1 thread 1");
    EXPECT_EQ(names.text(ParticipantList({1, 2})), "rank 0, rank 0 thread 2");
    EXPECT_EQ(names.text(ParticipantList({0, 1, 2, 3, 4, 5})),
              "ranks 0-1, ranks 0-1 thread 1, rank 0 thread 2, location 5");
}

TEST(ParticipantNamesTest, SelectionTakesAllThreadsOfARank) {
    const DefinitionIndex definitions = threaded();
    const ParticipantNames names(definitions);
    EXPECT_EQ(names.rank_count(), 2U);
    EXPECT_EQ(names.locations_of({1}), (std::vector<bool>{false, false, false, true, true, false}));
}

TEST(ParticipantNamesTest, StreamsAndMetricsHaveTheirNames) {
    DefinitionIndex definitions;
    RecordBatch batch;
    const auto put = [&batch](DefinitionType type, const std::vector<u64>& values) {
        batch.begin(static_cast<u8>(type));
        for (const u64 value : values) batch.push(value);
    };
    const auto text = [&](u64 id, const char* content) {
        put(DefinitionType::String, {id});
        batch.push_text(content);
    };
    text(0, "Master thread");
    text(1, "CUDA[0:7]");
    text(2, "power");
    text(3, "daemon");
    // Processes 0 and 1, and an accelerator that process 1 created.
    put(DefinitionType::LocationGroup, {0, 0, 1, 0, kNone});
    put(DefinitionType::LocationGroup, {1, 0, 1, 0, kNone});
    put(DefinitionType::LocationGroup, {2, 0, 2, 0, 1});
    put(DefinitionType::LocationGroup, {3, 0, 1, 0, kNone});
    put(DefinitionType::Location, {10, 0, 1, 0, 0});
    put(DefinitionType::Location, {11, 2, 3, 0, 0});
    put(DefinitionType::Location, {12, 0, 1, 0, 0});
    put(DefinitionType::Location, {13, 1, 2, 0, 0});
    put(DefinitionType::Location, {20, 0, 1, 0, 1});
    put(DefinitionType::Location, {21, 1, 2, 0, 2});
    put(DefinitionType::Location, {22, 1, 2, 0, 2});
    put(DefinitionType::Location, {30, 3, 1, 0, 3});
    put(DefinitionType::Group, {0, 0, 4, 4, 0, 2, 10, 20});
    definitions.add(batch);
    definitions.finish();
    const ParticipantNames names(definitions);
    std::vector<std::string> labels;
    for (u32 location = 0; location < 8; ++location) labels.push_back(names.label(location));
    EXPECT_EQ(labels, (std::vector<std::string>{"0", "0 power", "0.1", "0 CUDA[0:7]", "1",
                                                "1 CUDA[0:7] 1.1", "1 CUDA[0:7] 1.2", "daemon"}));
    EXPECT_EQ(names.text(ParticipantList({0, 1, 2, 3, 4, 5})),
              "ranks 0-1, rank 0 thread 1, CUDA[0:7] of ranks 0-1, power of rank 0");
    EXPECT_EQ(names.locations_of({1}),
              (std::vector<bool>{false, false, false, false, true, true, true, false}));
}

TEST(ParticipantNamesTest, WithoutMpiLocationsAreCounted) {
    DefinitionIndex definitions;
    RecordBatch batch;
    for (const u64 id : {u64{40}, u64{50}, u64{60}}) {
        batch.begin(static_cast<u8>(DefinitionType::Location));
        for (const u64 value : {id, u64{0}, u64{1}, u64{0}, u64{0}}) batch.push(value);
    }
    definitions.add(batch);
    definitions.finish();
    const ParticipantNames names(definitions);
    EXPECT_EQ(names.rank_count(), 3U);
    EXPECT_EQ(names.text(ParticipantList({0, 1, 2})), "locations 0-2");
    EXPECT_EQ(names.locations_of({0, 2}), (std::vector<bool>{true, false, true}));
    EXPECT_EQ(names.numbered_places()[2].rank, 0U);
    EXPECT_EQ(names.numbered_places()[2].thread, 2U);
}

}  // namespace
}  // namespace tracefold
