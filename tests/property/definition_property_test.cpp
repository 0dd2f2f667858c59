// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/definition_codec.hpp"
#include "fold/location_folder.hpp"
#include "fold/structure_index.hpp"
#include "property/random_records.hpp"

#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

RecordBatch there_and_back(Stream stream, const RecordBatch& records) {
    DefinitionEncoder encoder(stream);
    CallBatch calls;
    encoder.encode(records, calls);
    LocationFolder folder;
    folder.consume(calls);
    StructureStore store;
    folder.finish(store, stream, 0, encoder.symbols());
    const Structure structure = store.finish(stream, 1);
    StructureIndex index(structure);
    LocationCursor cursor(index, stream, 0);
    DefinitionDecoder decoder(stream, structure.symbols, encoder.text());
    RecordBatch back;
    u32 symbol = 0;
    AppendBuffer<u64> values;
    while (cursor.next(symbol, values)) decoder.decode(symbol, values, back);
    return back;
}

void expect_records_come_back(Stream stream, std::size_t types) {
    std::set<u8> seen;
    for (u64 seed = 0; seed < 500; ++seed) {
        RandomSource random(seed);
        const RecordBatch records = random_definitions(random, stream, random.below(80));
        for (const RecordBatch::Head& head : records.heads()) seen.insert(head.type);
        ASSERT_TRUE(same_records(stream, records, there_and_back(stream, records)))
            << "seed " << seed;
    }
    EXPECT_EQ(seen.size(), types);
}

TEST(DefinitionPropertyTest, GlobalRecordsComeBack) {
    expect_records_come_back(Stream::global_definitions, kDefinitionTypes - 2U);
}

TEST(DefinitionPropertyTest, LocalRecordsComeBack) {
    expect_records_come_back(Stream::local_definitions, kDefinitionTypes);
}

}  // namespace
}  // namespace tracefold
