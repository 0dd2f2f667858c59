// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/timing_model_codec.hpp"

#include "support/random_timing_model.hpp"
#include "unit/io/expect_error.hpp"

namespace tracefold {
namespace {

Structure structure_of(u32 symbols) {
    Structure structure;
    structure.symbols.resize(symbols, Symbol{{Element{}, Element{}}});
    return structure;
}

TimingModel decode(const std::string& bytes, u32 symbols) {
    FieldReader in(bytes, "test");
    return read_timing_model(in, structure_of(symbols));
}

TEST(TimingModelCodec, ModelsComeBack) {
    std::mt19937_64 random(1);
    for (const u32 symbols : {0U, 1U, 2U, 17U}) {
        TimingModel model = random_timing_model(random, symbols, 5);
        for (TimingModel::Edge& edge : model.edges) {
            unite(edge.durations.means, {{7, 3, 1000}, {40, 1, 7}, {41, 9, u64{127} << 57U}});
        }
        const std::string bytes = encode_timing_model(model);
        EXPECT_EQ(decode(bytes, symbols), model);
    }
}

TEST(TimingModelCodec, EmptyHistogramsAndExtremesComeBack) {
    TimingModel model;
    model.nodes.push_back({0, {}, {{0, 0}, {0, 0}}});
    Durations widest;
    widest.all.add(0);
    widest.all.add(~u64{0});
    model.edges.push_back({0, 0, widest});
    EXPECT_EQ(decode(encode_timing_model(model), 1), model);
}

TEST(TimingModelCodec, RoundedMeansHavePlaces) {
    for (u32 place = 0; place < kMeanPlaces; ++place) {
        EXPECT_EQ(mean_place(mean_at(place)), place);
        EXPECT_EQ(rounded_mean(mean_at(place)), mean_at(place));
    }
}

TEST(TimingModelCodec, EqualDurationsNeedNoSum) {
    TimingModel model;
    model.nodes.push_back({0, {}, {{0, 0}, {0, 0}}});
    model.nodes[0].durations.all.add(1000);
    const std::size_t one = encode_timing_model(model).size();
    for (int i = 0; i < 100; ++i) model.nodes[0].durations.all.add(1000);
    EXPECT_EQ(encode_timing_model(model).size(), one);
    EXPECT_EQ(decode(encode_timing_model(model), 1), model);
}

TEST(TimingModelCodec, PartialTimingsComeBack) {
    std::mt19937_64 random(2);
    const PartialTimings partial{{{1, 2}, {3, 4}}, random_timing_model(random, 2, 0)};
    const PartialTimings back = decode_partial_timings(encode_partial_timings(partial));
    EXPECT_EQ(back.symbols, partial.symbols);
    EXPECT_EQ(back.model, partial.model);
}

TEST(TimingModelCodec, OtherSymbolsAreRefused) {
    std::mt19937_64 random(3);
    const std::string bytes = encode_timing_model(random_timing_model(random, 4, 0));
    expect_error(ErrorKind::corrupt, "do not fit the structure", [&] { decode(bytes, 3); });
    FieldReader in(bytes, "test");
    Structure other = structure_of(4);
    other.symbols[2].elements.pop_back();
    expect_error(ErrorKind::corrupt, "do not fit the structure",
                 [&] { (void)read_timing_model(in, other); });
}

TEST(TimingModelCodec, DamageThrowsOrGivesAnotherModel) {
    std::mt19937_64 random(4);
    const TimingModel model = random_timing_model(random, 3, 0);
    const std::string bytes = encode_timing_model(model);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_THROW(decode(bytes.substr(0, size), 3), Error);
    }
    for (int i = 0; i < 5000; ++i) {
        std::string damaged = bytes;
        damaged[random() % damaged.size()] ^= static_cast<char>(1U << (random() % 8));
        try {
            EXPECT_NE(decode(damaged, 3), model);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::corrupt);
        }
    }
}

}  // namespace
}  // namespace tracefold
