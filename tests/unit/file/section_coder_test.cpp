// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/section_coder.hpp"

#include "base/error.hpp"
#include "file/context_mixing/number_coder.hpp"
#include "file/structure_codec.hpp"
#include "file/timing_model_codec.hpp"
#include "support/dictionary_sample.hpp"

#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

constexpr u64 kLocations = 5;  ///< as a reader may expect them

Section section_of(const StoredSection& stored) {
    Section section;
    section.kind = SectionKind::structure;
    section.coding = stored.coding;
    section.content_size = stored.content_size;
    return section;
}

TEST(SectionCoderTest, GivesBackTheStructure) {
    const Structure structure = sample_structure();
    const StoredSection stored = pack_structure(structure, kLocations, 19);
    EXPECT_EQ(stored.coding, Coding::context_mixing);
    const std::string plain = encode_structure(structure);
    EXPECT_EQ(stored.content_size, plain.size());
    EXPECT_LT(stored.bytes.size(), plain.size() / 4);
    const Structure back = unpack_structure(stored.bytes, section_of(stored), "test", kLocations);
    EXPECT_EQ(encode_structure(back), plain);
}

TEST(SectionCoderTest, GivesBackDefinitionsAndTheirText) {
    const std::string content = dictionary_sample(SectionKind::definitions);
    FieldReader in(content, "a sample");
    std::string text;
    const Structure structure = read_definitions(in, text);
    ASSERT_FALSE(text.empty());
    const StoredSection stored = pack_definitions(structure, text, 19);
    EXPECT_EQ(stored.coding, Coding::context_mixing);
    EXPECT_LT(stored.bytes.size(), content.size() / 4);
    Section section = section_of(stored);
    section.kind = SectionKind::definitions;
    std::string text_back;
    const Structure back = unpack_definitions(stored.bytes, section, "test", text_back);
    EXPECT_EQ(encode_definitions(back, text_back), content);
}

TEST(SectionCoderTest, GivesBackDurations) {
    const std::string content = dictionary_sample(SectionKind::durations);
    FieldReader in(content, "a sample");
    const Structure structure = sample_structure();
    const FoldedDurations durations = read_durations(in, structure);
    const StoredSection stored = pack_durations(durations, structure, 19);
    EXPECT_EQ(stored.coding, Coding::context_mixing);
    EXPECT_LT(stored.bytes.size(), content.size() / 4);
    Section section = section_of(stored);
    section.kind = SectionKind::durations;
    const FoldedDurations back = unpack_durations(stored.bytes, section, "test", structure);
    EXPECT_EQ(back.model, durations.model);
    EXPECT_EQ(encode_durations(back), content);
}

/// What is built in is what the samples teach now, and coding changes nothing in it.
TEST(SectionCoderTest, BeginsWithWhatTheSamplesTeach) {
    const Structure local =
        decode_structure(dictionary_sample(SectionKind::local_definitions), "a sample");
    const StoredSection first = pack_local_definitions(local, kLocations, 19);
    EXPECT_EQ(pack_local_definitions(local, kLocations, 19).bytes, first.bytes);
    for (const SectionKind kind : {SectionKind::definitions, SectionKind::local_definitions,
                                   SectionKind::structure, SectionKind::durations}) {
        ByteModel taught(ByteModel::kMaxCells);
        train_on_samples(taught, kind);
        ModelStateWriter expected;
        taught.save(expected);
        ModelStateWriter built_in;
        trained_model(kind, ByteModel::kMaxCells).save(built_in);
        EXPECT_EQ(built_in.bytes().bytes(), expected.bytes().bytes()) << static_cast<int>(kind);
    }
    EXPECT_THROW(trained_model(SectionKind::ticks, 1), Error);
}

/// A structure with one more column, a list.
Structure with_list(std::vector<u64> values) {
    Structure structure = sample_structure();
    Column column;
    column.form = Column::Form::list;
    column.values = std::move(values);
    structure.columns.push_back(column);
    structure.facts[0] = static_cast<u32>(structure.columns.size() - 1);
    return structure;
}

void expect_back(const StoredSection& stored, const Structure& structure) {
    const Structure back = unpack_structure(stored.bytes, section_of(stored), "test", kLocations);
    EXPECT_EQ(encode_structure(back), encode_structure(structure));
}

TEST(SectionCoderTest, LargeOnesAreModelledToo) {
    std::mt19937_64 random(1);
    std::vector<u64> values(300'000);
    for (u64& value : values) value = random() % 4;
    const Structure structure = with_list(values);
    const StoredSection stored = pack_structure(structure, kLocations, 3);
    EXPECT_EQ(stored.coding, Coding::context_mixing);
    EXPECT_LT(stored.bytes.size(), values.size() / 3);
    expect_back(stored, structure);
}

TEST(SectionCoderTest, VeryLargeOnesAreLeftToZstd) {
    std::mt19937_64 random(1);
    std::vector<u64> values(500'000);
    for (u64& value : values) value = random();
    const Structure structure = with_list(values);
    const StoredSection stored = pack_structure(structure, kLocations, 3);
    EXPECT_NE(stored.coding, Coding::context_mixing);
    expect_back(stored, structure);
}

/// A few bytes would keep a reader busy.
TEST(SectionCoderTest, LargeOnesThatSayLittleAreLeftToZstd) {
    const Structure structure = with_list(std::vector<u64>(1'000'000));
    const StoredSection stored = pack_structure(structure, kLocations, 3);
    EXPECT_NE(stored.coding, Coding::context_mixing);
    expect_back(stored, structure);
    Section section = section_of(stored);
    section.coding = Coding::context_mixing;
    EXPECT_THROW(unpack_structure("ab", section, "test", kLocations), Error);
}

TEST(SectionCoderTest, CostsOfFieldsAddUpToTheSection) {
    const Structure structure = sample_structure();
    const std::string plain = encode_structure(structure);
    const StoredSection modelled = pack_structure(structure, kLocations, 19);
    const StoredSection compressed = pack_section(plain, 19);
    for (const StoredSection& stored : {modelled, compressed}) {
        FieldCost sum;
        const FieldCosts costs =
            section_costs(stored.bytes, section_of(stored), "test", kLocations);
        for (const auto& [field, cost] : costs) sum += cost;
        EXPECT_EQ(sum.content_bytes, plain.size());
        EXPECT_NEAR(sum.stored_bytes, static_cast<double>(stored.bytes.size()), 1e-6);
        EXPECT_GT(costs.size(), 10U);
    }
}

/// Damaged bytes give another structure or an error, nothing else.
TEST(SectionCoderTest, DamageIsAnErrorOrAnotherStructure) {
    const StoredSection stored = pack_structure(sample_structure(), kLocations, 19);
    std::mt19937_64 random(3);
    int refused = 0;
    for (int round = 0; round < 200; ++round) {
        std::string bytes = stored.bytes;
        bytes[random() % bytes.size()] ^= static_cast<char>(1 + random() % 255);
        try {
            (void)unpack_structure(bytes, section_of(stored), "test", kLocations);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::corrupt);
            ++refused;
        }
    }
    EXPECT_GT(refused, 100);
    Section large = section_of(stored);
    large.content_size = u64{1} << 40U;
    EXPECT_THROW(unpack_structure(stored.bytes, large, "test", kLocations), Error);
}

}  // namespace
}  // namespace tracefold
