// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/definition_codec.hpp"

#include "base/error.hpp"
#include "fold/location_folder.hpp"
#include "fold/structure_index.hpp"
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
    AppendBuffer<u64> values;
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
    for (const std::string text : {"none", "MPIX_Send", "\xC3\xA4\n", "none", "x"}) {
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
    for (const u64 length : {4U, 9U, 3U, 4U, 1U}) {
        decoder.decode(0, std::vector<u64>{7, 2 * length}, back);
    }
    EXPECT_TRUE(same_records(Stream::global_definitions, records, back));
    EXPECT_THROW(decoder.decode(0, std::vector<u64>{7, 2}, back), Error);
}

RecordBatch strings(const std::vector<std::string>& texts) {
    RecordBatch records;
    u64 id = 0;
    for (const std::string& text : texts) {
        records.begin(static_cast<u8>(DefinitionType::String));
        records.push(id++);
        records.push_text(text);
    }
    return records;
}

TEST(DefinitionCodecTest, StringsOfTheDictionaryTakeNoText) {
    const RecordBatch records = strings({"", "MPI_Send", "MPI_Send_init", "MPI_Wtime", "mine"});
    DefinitionEncoder encoder(Stream::global_definitions);
    CallBatch calls;
    encoder.encode(records, calls);
    EXPECT_EQ(encoder.text(), "mine");
    EXPECT_TRUE(same_records(Stream::global_definitions, records,
                             there_and_back(Stream::global_definitions, records)));
}

TEST(DefinitionCodecTest, NumberedNamesAreNumbers) {
    std::vector<std::string> texts;
    for (int i = 0; i < 12; ++i) {
        texts.push_back("MPI Rank " + std::to_string(i));
        texts.push_back((i < 10 ? "nid000" : "nid00") + std::to_string(i));
        texts.push_back("rack" + std::to_string(i) + "-" + std::to_string(i * i));
    }
    const RecordBatch records = strings(texts);
    DefinitionEncoder encoder(Stream::global_definitions);
    CallBatch calls;
    encoder.encode(records, calls);
    // The dictionary knows the ranks; others become models when they have come a few times.
    EXPECT_EQ(encoder.text(), "nid0000rack0-0nid0001rack1-1nid0002rack2-4");
    EXPECT_EQ(encoder.symbols().size(), 4U);
    EXPECT_TRUE(same_records(Stream::global_definitions, records,
                             there_and_back(Stream::global_definitions, records)));
}

TEST(DefinitionCodecTest, NumbersWithOtherZerosStandAsTheyAre) {
    const RecordBatch records = strings({"n1", "n2", "n3", "n4", "n05", "n6", "n007", "n0", "m01",
                                         "m02", "m03", "m04", "m5", "m100", "m0099"});
    EXPECT_TRUE(same_records(Stream::global_definitions, records,
                             there_and_back(Stream::global_definitions, records)));
}

TEST(DefinitionCodecTest, StringsThatCannotBeAreErrors) {
    const std::string text = "n1";
    const auto decode = [&](const Element& element, const std::vector<u64>& values) {
        const std::vector<Symbol> symbols{{{element}}};
        DefinitionDecoder decoder(Stream::global_definitions, symbols, text);
        RecordBatch back;
        decoder.decode(0, values, back);
    };
    const u8 type = static_cast<u8>(DefinitionType::String);
    EXPECT_THROW(decode({type, false, kDynamicArray, 0, {}}, {0, 0xFFFFFF}), Error);
    EXPECT_THROW(decode({type, false, kDynamicArray, 0, {}}, {0, 0xFFFFFE}), Error);
    EXPECT_THROW(decode({type, false, 1, 0xFFFFFF, {}}, {0, 1}), Error);
    EXPECT_THROW(decode({type, false, 1, 0, {}}, {0, 1}), Error);
    EXPECT_THROW(decode({type, false, 0, 0, {}}, {0}), Error);
}

TEST(DefinitionCodecTest, RolesFollowFromNames) {
    RecordBatch records = strings({"MPI_Barrier", "mine"});
    for (const u64 name : {0U, 1U, 0U}) {
        records.begin(static_cast<u8>(DefinitionType::Region));
        const u64 role = name == 0 ? 15 : 1;
        for (const u64 value :
             {u64{7}, name, name, u64{1}, role, u64{4}, u64{0}, u64{0}, u64{0}, u64{0}}) {
            records.push(value);
        }
    }
    DefinitionEncoder encoder(Stream::global_definitions);
    CallBatch calls;
    encoder.encode(records, calls);
    // self and text of two strings, then the fields of the first region.
    EXPECT_EQ(calls.values[4 + 4].value, 0U);
    EXPECT_EQ(calls.values[4 + 14].value, 1U);
    EXPECT_TRUE(same_records(Stream::global_definitions, records,
                             there_and_back(Stream::global_definitions, records)));
}

TEST(DefinitionCodecTest, CoordinatesHaveColumnsOfTheirOwn) {
    RecordBatch records;
    for (u64 rank = 0; rank < 6; ++rank) {
        records.begin(static_cast<u8>(DefinitionType::CartCoordinate));
        for (const u64 value : {u64{0}, rank, u64{2}, rank / 2, rank % 2}) records.push(value);
    }
    DefinitionEncoder encoder(Stream::global_definitions);
    CallBatch calls;
    encoder.encode(records, calls);
    EXPECT_EQ(calls.values.size(), 6U * 4);
    EXPECT_TRUE(same_records(Stream::global_definitions, records,
                             there_and_back(Stream::global_definitions, records)));
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
