// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "property/random_records.hpp"
#include "support/call_stream.hpp"

#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

constexpr u32 kTracedRanks = 6;

TEST(EventPropertyTest, AnyRecordsComeBack) {
    const SmallWorld world(kTracedRanks);
    std::set<u8> seen;
    for (u64 seed = 0; seed < 1000; ++seed) {
        RandomSource random(seed);
        const MappingTables tables = random_tables(random);
        const RecordBatch records = random_events(random, random.below(80));
        for (const RecordBatch::Head& head : records.heads()) seen.insert(head.type);
        const u32 rank = static_cast<u32>(random.below(kTracedRanks + 1));
        ASSERT_TRUE(survives(world, tables, rank, records)) << "seed " << seed;
    }
    EXPECT_EQ(seen.size(), kEventTypes);
}

TEST(EventPropertyTest, RepeatedRecordsComeBack) {
    const SmallWorld world(kTracedRanks);
    for (u64 seed = 0; seed < 300; ++seed) {
        RandomSource random(10'000 + seed);
        const MappingTables tables = random_tables(random);
        const RecordBatch body = random_events(random, random.between(1, 20));
        RecordBatch records;
        const u64 trips = random.between(2, 30);
        for (u64 trip = 0; trip < trips; ++trip) {
            for (const RecordBatch::Head& head : body.heads()) records.append(body, head);
        }
        ASSERT_TRUE(survives(world, tables, 2, records)) << "seed " << seed;
    }
}

TEST(EventPropertyTest, ProgramsComeBack) {
    const SmallWorld world(kTracedRanks);
    for (u64 seed = 0; seed < 1000; ++seed) {
        RandomSource random(20'000 + seed);
        const u32 rank = static_cast<u32>(random.below(kTracedRanks));
        const RecordBatch records = random_program_events(random, kTracedRanks, rank);
        ASSERT_TRUE(survives(world, {}, rank, records)) << "seed " << seed;
        ASSERT_EQ(encode_calls(world, {}, rank, records).raw.total(), 0U) << "seed " << seed;
    }
}

/// The locations of one archive: each its own tables; some share a program, some hold noise.
struct Location {
    MappingTables tables;
    RecordBatch records;
};

std::vector<Location> random_archive(RandomSource& random) {
    std::vector<Location> locations;
    const u64 program = random.any();
    for (u32 rank = 0; rank <= kTracedRanks; ++rank) {
        Location location;
        RandomSource shared(program);
        switch (random.below(4)) {
            case 0:
                location.records = random_events(random, random.below(30));
                break;
            case 1:
                break;
            default:
                location.records = random_program_events(shared, kTracedRanks, rank % kTracedRanks);
        }
        if (random.one_in(3)) location.tables = random_tables(random);
        locations.push_back(std::move(location));
    }
    return locations;
}

TEST(EventPropertyTest, AllLocationsOfAnArchiveComeBack) {
    const SmallWorld world(kTracedRanks);
    for (u64 seed = 0; seed < 300; ++seed) {
        RandomSource random(30'000 + seed);
        const std::vector<Location> archive = random_archive(random);
        StructureStore store;
        for (u32 i = 0; i < archive.size(); ++i) {
            fold_calls(encode_calls(world, archive[i].tables, i, archive[i].records), i, store);
        }
        const Structure structure = store.finish(Stream::events, kTracedRanks + 1);
        for (u32 i = 0; i < archive.size(); ++i) {
            ASSERT_TRUE(same_records(Stream::events, archive[i].records,
                                     unfold_calls(world, archive[i].tables, i, structure)))
                << "seed " << seed << " location " << i;
        }
    }
}

}  // namespace
}  // namespace tracefold
