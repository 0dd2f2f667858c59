// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_calls/definition_codec.hpp"

#include "core/error.hpp"
#include "fold/location_cursor.hpp"
#include "fold/location_folder.hpp"
#include "support/record_builder.hpp"

#include <string>
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
    std::vector<u64> values;
    while (cursor.next(symbol, values)) decoder.decode(symbol, values, back);
    return back;
}

TEST(DefinitionCodecTest, AWorldComesBack) {
    const RecordBatch records = small_world_records(16);
    EXPECT_TRUE(same_records(Stream::local_definitions, records,
                             there_and_back(Stream::local_definitions, records)));
}

TEST(DefinitionCodecTest, OneSymbolPerRecordType) {
    DefinitionEncoder encoder(Stream::global_definitions);
    CallBatch calls;
    const RecordBatch records = small_world_records(16);
    encoder.encode(records, calls);
    EXPECT_EQ(calls.symbols.size(), records.size());
    EXPECT_EQ(encoder.symbols().size(), 12U);
}

TEST(DefinitionCodecTest, TextsOfGlobalDefinitionsStandApart) {
    RecordBatch records;
    std::string all;
    for (const std::string text : {"", "MPI_Send", "\xC3\xA4\n", "", "x"}) {
        records.begin(static_cast<u8>(DefinitionType::String));
        records.push(7);
        records.push_text(text);
        all += text;
    }
    DefinitionEncoder encoder(Stream::global_definitions);
    CallBatch calls;
    encoder.encode(records, calls);
    EXPECT_EQ(encoder.text(), all);
    DefinitionDecoder decoder(Stream::global_definitions, encoder.symbols(), encoder.text());
    RecordBatch back;
    for (const u64 length : {0U, 8U, 3U, 0U, 1U}) {
        decoder.decode(0, std::vector<u64>{7, length}, back);
    }
    EXPECT_TRUE(same_records(Stream::global_definitions, records, back));
    EXPECT_THROW(decoder.decode(0, std::vector<u64>{7, 1}, back), Error);
}

TEST(DefinitionCodecTest, TextsOfLocalDefinitionsAreColumns) {
    RecordBatch records;
    for (const std::string& text : {std::string(), std::string("MPI_Send"),
                                    std::string(300, '\xFF'), std::string("\0a\0", 3)}) {
        records.begin(static_cast<u8>(DefinitionType::String));
        records.push(7);
        records.push_text(text);
    }
    DefinitionEncoder encoder(Stream::local_definitions);
    CallBatch calls;
    encoder.encode(records, calls);
    EXPECT_TRUE(encoder.text().empty());
    EXPECT_TRUE(same_records(Stream::local_definitions, records,
                             there_and_back(Stream::local_definitions, records)));
}

}  // namespace
}  // namespace tracefold
