// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/context_mixing/byte_model.hpp"
#include "file/context_mixing/context_cells.hpp"
#include "file/context_mixing/number_coder.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(LogisticTest, IsTheLogisticFunctionAndItsInverse) {
    for (int x = -kMaxLogit; x <= kMaxLogit; ++x) {
        const double exact = 65536 / (1 + std::exp(-x / 256.0));
        EXPECT_NEAR(squash(x), exact, 600) << x;
        if (x > -kMaxLogit) {
            EXPECT_GE(squash(x), squash(x - 1));
        }
    }
    for (int probability = 1; probability < 4090; ++probability) {
        const int x = kLogits[static_cast<std::size_t>(probability)];
        EXPECT_GE(squash(x) >> 4, probability);
        if (x > -kMaxLogit) {
            EXPECT_LT(squash(x - 1) >> 4, probability);
        }
    }
}

TEST(RangeCoderTest, GivesBackBitsOfAnyProbability) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 200; ++round) {
        std::vector<std::pair<bool, u32>> bits(random() % 300);
        for (auto& [bit, probability] : bits) {
            probability = static_cast<u32>(std::max<u64>(1, random() >> (48 + random() % 16)));
            if (random() % 2 == 0) probability = 65536 - probability;
            bit = random() % 65536 < probability;
        }
        RangeEncoder encoder;
        for (const auto& [bit, probability] : bits) encoder.put(bit, probability);
        const std::string bytes = encoder.take();
        RangeDecoder decoder(bytes);
        for (const auto& [bit, probability] : bits) ASSERT_EQ(decoder.get(probability), bit);
    }
}

TEST(RangeCoderTest, TakesTheBitsThatTheProbabilitiesSay) {
    RangeEncoder encoder;
    for (int i = 0; i < 80000; ++i) encoder.put(i % 8 == 0, 8192);
    EXPECT_NEAR(static_cast<double>(encoder.take().size()), 80000 * 0.5436 / 8, 20);
}

/// Whatever comes, a probability is never 0 or 1, and what repeats gets cheap.
TEST(ByteModelTest, LearnsWhatRepeats) {
    ByteModel model(4096);
    double bits = 0;
    for (u32 i = 0; i < 4096; ++i) {
        model.begin_number({static_cast<FieldRole>(i % 3), 0, 0, true}, {});
        model.begin_byte();
        const u32 byte = "abc"[i % 3];
        for (u32 left = 8; left-- > 0;) {
            const bool bit = (byte >> left & 1U) != 0;
            const u32 probability = model.predict();
            ASSERT_GT(probability, 0U);
            ASSERT_LT(probability, 65536U);
            bits -= std::log2((bit ? probability : 65536 - probability) / 65536.0);
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
                const u32 probability = model.predict();
                if (i >= 100)
                    bits -= std::log2((bit ? probability : 65536 - probability) / 65536.0);
                model.update(bit);
            }
            ASSERT_EQ(model.end_byte(), static_cast<u8>(byte));
        }
        model.end_number();
    }
    EXPECT_LT(bits, 300 * 4);  // of 21
}

/// A hash in one of the contexts.
ContextCells::Lanes<u32> in_context(u32 context, u32 hash) {
    ContextCells::Lanes<u32> hashes{};
    hashes[context] = hash;
    return hashes;
}

ContextCells::Cell cell_of(const ContextCells& cells, u32 context, u32 hash) {
    return cells.read(cells.find(in_context(context, hash)))[context];
}

void learn(ContextCells& cells, u32 context, u32 hash, bool bit) {
    const ContextCells::Places places = cells.find(in_context(context, hash));
    ContextCells::Lanes<ContextCells::Cell> known = cells.read(places);
    ContextCells::learn(known, bit);
    cells.write(places, known);
}

TEST(ContextCellsTest, BeginAnewForAnotherHash) {
    ContextCells cells(16);
    constexpr u32 kHash = 0x12345678;
    constexpr u32 kSamePlace = kHash ^ 0x00000800;
    for (int i = 0; i < 3; ++i) learn(cells, 1, kHash, true);
    EXPECT_EQ(cell_of(cells, 1, kHash).count(), 3U);
    EXPECT_GT(cell_of(cells, 1, kHash).probability(), 3000);
    EXPECT_EQ(cell_of(cells, 0, kHash).count(), 0U) << "another context";
    EXPECT_EQ(cell_of(cells, 1, kSamePlace).count(), 0U);
    EXPECT_EQ(cell_of(cells, 1, kSamePlace).probability(), 2048);
    learn(cells, 1, kSamePlace, true);
    EXPECT_EQ(cell_of(cells, 1, kHash).count(), 0U) << "forgotten";
}

/// Of cells that meet in a smaller set, the one that learnt more stays.
TEST(ContextCellsTest, AreTakenOverByASmallerSet) {
    ContextCells large(ContextCells::kMaxBits);
    constexpr u32 kHash = 0x89ABCDEF;
    constexpr u32 kNextPlace = kHash ^ 0x00004000;  // the same one with 2^16 cells
    learn(large, 0, kHash, true);
    for (int i = 0; i < 5; ++i) learn(large, 0, kNextPlace, false);
    learn(large, 1, kHash, true);
    ModelStateWriter written;
    large.save(written);
    const std::string bytes = written.bytes().take();
    ModelStateReader state(bytes);
    ContextCells small(16);
    small.load(state);
    EXPECT_EQ(cell_of(small, 0, kNextPlace).count(), 5U);
    EXPECT_LT(cell_of(small, 0, kNextPlace).probability(), 1024);
    EXPECT_EQ(cell_of(small, 1, kHash).count(), 1U);
    EXPECT_EQ(cell_of(small, 0, kHash).count(), 0U);
}

/// In 32 bits, the steps are those that the format describes.
TEST(ProbabilityCellTest, MovesByAShareOfTheWay) {
    std::mt19937 random(3);
    for (const u32 limit : {30U, 255U}) {
        ProbabilityCell cell;
        i64 probability = i64{1} << 21U;
        for (u32 known = 0; known < 3000; ++known) {
            const bool bit = random() % 1000 < (known < 2000 ? 900 : 1);
            const i64 rate = 655360 / (10 * i64{std::min(known, limit)} + 16);
            probability += ((bit ? i64{1} << 22U : 0) - probability) * rate >> 16U;
            probability = std::clamp<i64>(probability, 64, (i64{1} << 22U) - 64);
            cell.learn(bit, limit);
            ASSERT_EQ(cell.probability(), probability >> 10U) << known;
            ASSERT_EQ(cell.count(), std::min(known + 1, limit));
        }
    }
}

}  // namespace
}  // namespace tracefold
