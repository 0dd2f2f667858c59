// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/modelled_section.hpp"

#include "core/error.hpp"
#include "format/byte_model.hpp"
#include "format/experience.hpp"
#include "format/item_forecast.hpp"
#include "format/logistic.hpp"
#include "format/range_coder.hpp"
#include "format/structure_codec.hpp"
#include "format/timing_model_codec.hpp"
#include "model/dictionary.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// The last sample of such sections.
std::string sample_content(SectionKind kind) {
    ByteReader in(Dictionary::built_in().sections(), "samples");
    std::string content;
    while (in.remaining() != 0) {
        const auto sample_kind = static_cast<SectionKind>(in.get_varint());
        const std::string_view bytes = in.get_bytes(in.get_varint());
        if (sample_kind == kind) content = bytes;
    }
    return content;
}

Structure sample() { return decode_structure(sample_content(SectionKind::structure), "a sample"); }

Section section_of(const StoredSection& stored) {
    Section section;
    section.kind = SectionKind::structure;
    section.coding = stored.coding;
    section.content_size = stored.content_size;
    return section;
}

TEST(LogisticTest, IsTheLogisticFunctionAndItsInverse) {
    for (int x = -kMaxLogit; x <= kMaxLogit; ++x) {
        const double exact = 65536 / (1 + std::exp(-x / 256.0));
        EXPECT_NEAR(squash(x), exact, 600) << x;
        if (x > -kMaxLogit) {
            EXPECT_GE(squash(x), squash(x - 1));
        }
    }
    for (int chance = 1; chance < 4090; ++chance) {
        const int x = kLogits[static_cast<std::size_t>(chance)];
        EXPECT_GE(squash(x) >> 4, chance);
        if (x > -kMaxLogit) {
            EXPECT_LT(squash(x - 1) >> 4, chance);
        }
    }
}

TEST(RangeCoderTest, GivesBackBitsOfAnyChance) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 200; ++round) {
        std::vector<std::pair<bool, u32>> bits(random() % 300);
        for (auto& [bit, chance] : bits) {
            chance = static_cast<u32>(std::max<u64>(1, random() >> (48 + random() % 16)));
            if (random() % 2 == 0) chance = 65536 - chance;
            bit = random() % 65536 < chance;
        }
        RangeEncoder encoder;
        for (const auto& [bit, chance] : bits) encoder.put(bit, chance);
        const std::string bytes = encoder.take();
        RangeDecoder decoder(bytes);
        for (const auto& [bit, chance] : bits) ASSERT_EQ(decoder.get(chance), bit);
    }
}

TEST(RangeCoderTest, TakesTheBitsThatTheChancesSay) {
    RangeEncoder encoder;
    for (int i = 0; i < 80000; ++i) encoder.put(i % 8 == 0, 8192);
    EXPECT_NEAR(static_cast<double>(encoder.take().size()), 80000 * 0.5436 / 8, 20);
}

/// Whatever comes, a chance is never 0 or 1, and what repeats gets cheap.
TEST(ByteModelTest, LearnsWhatRepeats) {
    ByteModel model(4096);
    double bits = 0;
    for (u32 i = 0; i < 4096; ++i) {
        model.begin_number({static_cast<FieldRole>(i % 3), 0, 0, true}, {});
        model.begin_byte();
        const u32 byte = "abc"[i % 3];
        for (u32 left = 8; left-- > 0;) {
            const bool bit = (byte >> left & 1U) != 0;
            const u32 chance = model.predict();
            ASSERT_GT(chance, 0U);
            ASSERT_LT(chance, 65536U);
            bits -= std::log2((bit ? chance : 65536 - chance) / 65536.0);
            model.update(bit);
        }
        ASSERT_EQ(model.end_byte(), byte);
        model.end_number();
    }
    EXPECT_LT(bits, 400);
}

/// What was expected costs little, whatever number it is.
TEST(ByteModelTest, TrustsExpectationsThatCameTrue) {
    ByteModel model(4096);
    std::mt19937_64 random(5);
    double bits = 0;
    for (u32 i = 0; i < 400; ++i) {
        const u64 number = random() % (1U << 21U);
        Expectations expected;
        expected.set(2, number);
        model.begin_number({FieldRole::value, 7, 7, false}, expected);
        ByteWriter out;
        out.put_varint(number);
        for (const char byte : out.bytes()) {
            model.begin_byte();
            for (u32 left = 8; left-- > 0;) {
                const bool bit = (static_cast<u8>(byte) >> left & 1U) != 0;
                const u32 chance = model.predict();
                if (i >= 100) bits -= std::log2((bit ? chance : 65536 - chance) / 65536.0);
                model.update(bit);
            }
            ASSERT_EQ(model.end_byte(), static_cast<u8>(byte));
        }
        model.end_number();
    }
    EXPECT_LT(bits, 300 * 4);  // of 21
}

/// A repeated list of items is expected item by item, in another pattern with other numbers too.
TEST(ItemForecastTest, KnowsWhatFollowedInOtherScripts) {
    ItemForecast forecast;
    forecast.begin(ItemForecast::Kind::script, 3, {10, 20, 30});
    forecast.begin_items();
    for (const u32 item : {0U, 2U, 1U, 0U}) forecast.add(item, 1);
    forecast.begin(ItemForecast::Kind::script, 3, {30, 10, 20});
    forecast.begin_items();
    for (const u32 item : {1U, 0U, 2U, 1U}) {
        const Expectations expected = forecast.token(0);
        EXPECT_TRUE(expected.has(0));
        EXPECT_EQ(expected.number(0) >> 2U, item);
        forecast.add(item, 1);
    }
    EXPECT_EQ(forecast.token(0).number(3), 2U << 2U) << "item 0 was new, then 1";
}

TEST(ItemForecastTest, ExpectsWholeRuns) {
    ItemForecast forecast;
    forecast.begin(ItemForecast::Kind::column, 9);
    for (int round = 0; round < 2; ++round) {
        forecast.begin_items();
        forecast.add(0, 9);
    }
    forecast.begin_items();
    EXPECT_EQ(forecast.token(0).number(0), 1U);
    EXPECT_EQ(forecast.run().number(0), 9U - 2);
    forecast.begin(ItemForecast::Kind::column, u64{1} << 31U);
    forecast.begin_items();
    forecast.add(0, u64{1} << 29U);
    EXPECT_EQ(forecast.token(0).number(3), u64{4} << 29U) << "what is new comes after the run";
}

TEST(ModelledSectionTest, GivesBackTheStructure) {
    const Structure structure = sample();
    const StoredSection stored = pack_structure(structure, 19);
    EXPECT_EQ(stored.coding, Coding::modelled);
    const std::string plain = encode_structure(structure);
    EXPECT_EQ(stored.content_size, plain.size());
    EXPECT_LT(stored.bytes.size(), plain.size() / 4);
    const Structure back = unpack_structure(stored.bytes, section_of(stored), "test");
    EXPECT_EQ(encode_structure(back), plain);
}

TEST(ModelledSectionTest, GivesBackDefinitionsAndTheirText) {
    const std::string content = sample_content(SectionKind::definitions);
    FieldReader in(content, "a sample");
    std::string text;
    const Structure structure = read_definitions(in, text);
    ASSERT_FALSE(text.empty());
    const StoredSection stored = pack_definitions(structure, text, 19);
    EXPECT_EQ(stored.coding, Coding::modelled);
    EXPECT_LT(stored.bytes.size(), content.size() / 4);
    Section section = section_of(stored);
    section.kind = SectionKind::definitions;
    std::string text_back;
    const Structure back = unpack_definitions(stored.bytes, section, "test", text_back);
    EXPECT_EQ(encode_definitions(back, text_back), content);
}

TEST(ModelledSectionTest, GivesBackDurations) {
    const std::string content = sample_content(SectionKind::durations);
    FieldReader in(content, "a sample");
    const TimingModel durations = read_timing_model(in);
    Structure structure;
    for (const TimingModel::Node& node : durations.nodes) {
        structure.symbols.resize(node.symbol + 1);
        structure.symbols.back().elements.resize(node.steps.size());
    }
    const StoredSection stored = pack_durations(durations, 19);
    EXPECT_EQ(stored.coding, Coding::modelled);
    EXPECT_LT(stored.bytes.size(), content.size() / 4);
    Section section = section_of(stored);
    section.kind = SectionKind::durations;
    EXPECT_EQ(unpack_durations(stored.bytes, section, "test", structure), durations);
}

/// A model is copied from what was learnt once, so the second time gives the same bytes.
TEST(ModelledSectionTest, EveryTimeTheSame) {
    const Structure local =
        decode_structure(sample_content(SectionKind::local_definitions), "a sample");
    const StoredSection first = pack_local_definitions(local, 19);
    EXPECT_EQ(pack_local_definitions(local, 19).bytes, first.bytes);
    prepare_models({SectionKind::structure});
    EXPECT_EQ(pack_local_definitions(local, 19).bytes, first.bytes);
}

TEST(ModelledSectionTest, LargeOnesAreLeftToZstd) {
    Structure structure = sample();
    Column column;
    column.form = Column::Form::list;
    std::mt19937_64 random(1);
    for (int i = 0; i < 100000; ++i) column.values.push_back(random());
    structure.columns.push_back(column);
    structure.facts[0] = static_cast<u32>(structure.columns.size() - 1);
    const StoredSection stored = pack_structure(structure, 3);
    EXPECT_NE(stored.coding, Coding::modelled);
    const Structure back = unpack_structure(stored.bytes, section_of(stored), "test");
    EXPECT_EQ(encode_structure(back), encode_structure(structure));
}

/// Damaged bytes give another structure or an error, nothing else.
TEST(ModelledSectionTest, DamageIsAnErrorOrAnotherStructure) {
    const StoredSection stored = pack_structure(sample(), 19);
    std::mt19937_64 random(3);
    int refused = 0;
    for (int round = 0; round < 200; ++round) {
        std::string bytes = stored.bytes;
        bytes[random() % bytes.size()] ^= static_cast<char>(1 + random() % 255);
        try {
            (void)unpack_structure(bytes, section_of(stored), "test");
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::corrupt);
            ++refused;
        }
    }
    EXPECT_GT(refused, 100);
    Section large = section_of(stored);
    large.content_size = u64{1} << 40U;
    EXPECT_THROW(unpack_structure(stored.bytes, large, "test"), Error);
}

}  // namespace
}  // namespace tracefold
