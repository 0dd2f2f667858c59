// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/timing_model_codec.hpp"

#include "fold/timing_store.hpp"
#include "support/expect_error.hpp"
#include "support/random_timing_model.hpp"

namespace tracefold {
namespace {

constexpr u32 kLocations = 50;

Structure structure_of(u32 symbols) {
    Structure structure;
    structure.symbols.resize(symbols, Symbol{{Element{}, Element{}}});
    structure.location_count = kLocations;
    return structure;
}

std::string encode(const TimingModel& model, u32 symbols) {
    return encode_durations(fold_means(model, structure_of(symbols)));
}

FoldedDurations read(const std::string& bytes, u32 symbols) {
    FieldReader in(bytes, "test");
    return read_durations(in, structure_of(symbols));
}

TimingModel decode(const std::string& bytes, u32 symbols) {
    return unfold_means(read(bytes, symbols), kLocations, ~u64{0});
}

/// Also by the form of the columns: several give the same means.
bool are_equal(const FoldedDurations& a, const FoldedDurations& b) {
    return a.model == b.model && a.means.patterns == b.means.patterns &&
           a.means.columns == b.means.columns && a.means.of == b.means.of;
}

TEST(TimingModelCodec, ModelsComeBack) {
    std::mt19937_64 random(1);
    for (const u32 symbols : {0U, 1U, 2U, 17U}) {
        TimingModel model = random_timing_model(random, symbols, 5);
        for (TimingModel::Edge& edge : model.edges) {
            unite(edge.durations.means, {{7, 3, 1000}, {40, 1, 7}, {41, 9, u64{127} << 57U}});
        }
        EXPECT_EQ(decode(encode(model, symbols), symbols), model);
    }
}

TEST(TimingModelCodec, EmptyHistogramsAndExtremesComeBack) {
    TimingModel model;
    model.nodes.push_back({0, {}, {{0, 0}, {0, 0}}});
    Durations widest;
    widest.all.add(0);
    widest.all.add(~u64{0});
    model.edges.push_back({0, 0, widest});
    EXPECT_EQ(decode(encode(model, 1), 1), model);
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
    const std::size_t one = encode(model, 1).size();
    for (int i = 0; i < 100; ++i) model.nodes[0].durations.all.add(1000);
    EXPECT_EQ(encode(model, 1).size(), one);
    EXPECT_EQ(decode(encode(model, 1), 1), model);
}

TEST(TimingModelCodec, PartialTimingsComeBack) {
    std::mt19937_64 random(2);
    PartialTimings partial{{{1, 2}, {3, 4}}, random_timing_model(random, 2, 0)};
    unite(partial.model.nodes[1].durations.means, {{7, 3, 1000}, {40, 1, 7}});
    const PartialTimings back = decode_partial_timings(encode_partial_timings(partial));
    EXPECT_EQ(back.symbols, partial.symbols);
    EXPECT_EQ(back.model, partial.model);
}

TEST(TimingModelCodec, OtherSymbolsAreRefused) {
    std::mt19937_64 random(3);
    const std::string bytes = encode(random_timing_model(random, 4, 0), 4);
    expect_error(ErrorKind::corrupt, "do not fit the structure", [&] { decode(bytes, 3); });
    FieldReader in(bytes, "test");
    Structure other = structure_of(4);
    other.symbols[2].elements.pop_back();
    expect_error(ErrorKind::corrupt, "do not fit the structure",
                 [&] { (void)read_durations(in, other); });
}

TEST(TimingModelCodec, DamageThrowsOrGivesAnotherModel) {
    std::mt19937_64 random(4);
    const TimingModel model = random_timing_model(random, 3, 0);
    const std::string bytes = encode(model, 3);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_THROW(decode(bytes.substr(0, size), 3), Error);
    }
    const FoldedDurations sound = read(bytes, 3);
    for (int i = 0; i < 5000; ++i) {
        std::string damaged = bytes;
        damaged[random() % damaged.size()] ^= static_cast<char>(1U << (random() % 8));
        try {
            EXPECT_FALSE(are_equal(read(damaged, 3), sound));
            (void)decode(damaged, 3);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::corrupt);
        }
    }
}

}  // namespace
}  // namespace tracefold
