// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/modelled_structure.hpp"

#include "core/error.hpp"
#include "format/byte_model.hpp"
#include "format/logistic.hpp"
#include "format/range_coder.hpp"
#include "format/structure_codec.hpp"
#include "model/dictionary.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

Structure sample() {
    ByteReader in(Dictionary::built_in().structures(), "samples");
    in.get_bytes(in.get_varint());
    in.get_bytes(in.get_varint());
    return decode_structure(in.get_bytes(in.get_varint()), "the third sample");
}

Section section_of(const StoredSection& stored) {
    Section section;
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
        model.begin({static_cast<FieldRole>(i % 3), 0});
        const u32 byte = "abc"[i % 3];
        for (u32 left = 8; left-- > 0;) {
            const bool bit = (byte >> left & 1U) != 0;
            const u32 chance = model.predict();
            ASSERT_GT(chance, 0U);
            ASSERT_LT(chance, 65536U);
            bits -= std::log2((bit ? chance : 65536 - chance) / 65536.0);
            model.update(bit);
        }
        ASSERT_EQ(model.last_byte(), byte);
    }
    EXPECT_LT(bits, 400);
}

TEST(ModelledStructureTest, GivesBackTheStructure) {
    const Structure structure = sample();
    const StoredSection stored = pack_structure(structure, 19);
    EXPECT_EQ(stored.coding, Coding::modelled);
    const std::string plain = encode_structure(structure);
    EXPECT_EQ(stored.content_size, plain.size());
    EXPECT_LT(stored.bytes.size(), plain.size() / 4);
    const Structure back = unpack_structure(stored.bytes, section_of(stored), "test");
    EXPECT_EQ(encode_structure(back), plain);
}

TEST(ModelledStructureTest, LargeOnesAreLeftToZstd) {
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
TEST(ModelledStructureTest, DamageIsAnErrorOrAnotherStructure) {
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
