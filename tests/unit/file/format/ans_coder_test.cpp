// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/format/ans_coder.hpp"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {

namespace {

using Distribution = AdaptiveDistribution<16>;

/// Mostly 3, at times any.
std::vector<std::size_t> skewed_symbols(std::size_t count) {
    std::mt19937 random(1);
    std::vector<std::size_t> symbols(count, 3);
    for (std::size_t& symbol : symbols) {
        if (random() % 8 == 0) symbol = random() % 16;
    }
    return symbols;
}

std::string coded_symbols(const std::vector<std::size_t>& symbols) {
    AnsEncoder encoder;
    Distribution distribution;
    // Some room is left.
    u32* next = encoder.room(symbols.size() + 5);
    for (const std::size_t symbol : symbols) {
        *next++ = AnsEncoder::packed(distribution.starts()[symbol],
                                     frequency(distribution.starts(), symbol));
        distribution.update(symbol);
    }
    encoder.keep(next);
    return encoder.take();
}

std::vector<std::size_t> decoded(AnsDecoder& decoder, std::size_t count) {
    Distribution distribution;
    std::vector<std::size_t> symbols;
    for (std::size_t i = 0; i < count; ++i) {
        symbols.push_back(decoder.get(distribution.starts()));
        distribution.update(symbols.back());
    }
    return symbols;
}

TEST(AnsCoder, SymbolsComeBack) {
    for (const std::size_t count : {0U, 1U, 2U, 10U, 5000U}) {
        const std::vector<std::size_t> symbols = skewed_symbols(count);
        const std::string bytes = coded_symbols(symbols);
        AnsDecoder decoder(bytes);
        EXPECT_EQ(decoded(decoder, count), symbols);
        EXPECT_TRUE(decoder.finished());
    }
}

TEST(AnsCoder, TakesAboutTheEntropy) {
    // 15/128 of the symbols are not 3: 0.52 bits for that and 3.9 for which one, 0.98 in all. A
    // distribution that goes on learning is never quite right.
    const std::size_t size = coded_symbols(skewed_symbols(50000)).size();
    EXPECT_GT(size, 50000 * 0.98 / 8);
    EXPECT_LT(size, 50000 * 1.10 / 8);
}

TEST(AnsCoder, EndIsNoticed) {
    const std::vector<std::size_t> symbols = skewed_symbols(1000);
    const std::string bytes = coded_symbols(symbols);
    AnsDecoder early(bytes);
    decoded(early, 999);
    EXPECT_FALSE(early.finished());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        AnsDecoder cut(std::string_view(bytes).substr(0, size));
        decoded(cut, 1000);
        EXPECT_FALSE(cut.finished()) << size;
    }
    const std::string more = bytes + "xx";
    AnsDecoder longer(more);
    decoded(longer, 1000);
    EXPECT_FALSE(longer.finished());
}

TEST(AdaptiveDistribution, SharesStayPositive) {
    std::mt19937 random(2);
    Distribution distribution;
    for (int i = 0; i < 20000; ++i) {
        distribution.update(i < 1000 ? 0 : i < 2000 ? 15 : random() % 16);
        for (std::size_t s = 0; s < 16; ++s) EXPECT_GE(frequency(distribution.starts(), s), 8U);
        EXPECT_EQ(distribution.starts()[0], 0U);
    }
}

TEST(AdaptiveDistribution, LearnsFastAtFirst) {
    AdaptiveDistribution<8> distribution;
    EXPECT_EQ(frequency(distribution.starts(), 5), kWhole / 8);
    EXPECT_EQ(distribution.confidence(), 0U);
    for (int i = 0; i < 4; ++i) distribution.update(5);
    EXPECT_GT(frequency(distribution.starts(), 5), kWhole / 2);
    EXPECT_EQ(distribution.confidence(), 2U);
    for (int i = 0; i < 100; ++i) distribution.update(5);
    EXPECT_EQ(distribution.confidence(), 5U);
    distribution.forget_count();
    EXPECT_EQ(distribution.confidence(), 0U);
}

}  // namespace

}  // namespace tracefold
