// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/format/timing_codec.hpp"

#include "file/clock_granularity.hpp"
#include "support/expect_error.hpp"

#include <bit>
#include <initializer_list>
#include <random>
#include <string>

namespace tracefold {

namespace {

using Deltas = std::vector<CallBatch::Delta>;

std::string encoded(const Deltas& deltas) {
    std::string bytes;
    TimingEncoder encoder([&bytes](std::string_view block) { bytes += block; });
    encoder.add(deltas);
    encoder.finish();
    return bytes;
}

void expect_back(const Deltas& deltas) {
    const std::string bytes = encoded(deltas);
    TimingDecoder decoder(bytes, "test");
    std::size_t wrong = 0;
    for (const CallBatch::Delta& delta : deltas) {
        wrong += decoder.next(delta.group) == delta.ticks ? 0 : 1;
    }
    EXPECT_EQ(wrong, 0U);
    decoder.expect_end();
}

TEST(BitPacker, EveryNumberComesBack) {
    std::mt19937_64 random(3);
    std::vector<u64> numbers{0, 1, u64{1} << 32U, ~u64{0}, u64{0xFFFFFFFF}};
    for (int i = 0; i < 2000; ++i) numbers.push_back(random() >> (random() % 64));
    std::string packed(8 * numbers.size() + BitWriter::kRest, '?');
    BitWriter writer(packed.data());
    const auto size_of = [](u64 number) { return static_cast<int>(std::bit_width(number)); };
    for (const u64 number : numbers) writer.put(number, size_of(number));
    packed.resize(static_cast<std::size_t>(writer.end() - packed.data()));
    BitReader reader(packed);
    for (const u64 number : numbers) EXPECT_EQ(reader.get(size_of(number)), number);
    EXPECT_TRUE(reader.finished());
    EXPECT_EQ(reader.get(64), 0U);
    EXPECT_FALSE(reader.finished());
}

TEST(TimingCodec, EmptyTimingHasNoBytes) {
    EXPECT_EQ(encoded({}), "");
    TimingDecoder("", "test").expect_end();
}

TEST(TimingCodec, AnyDifferencesComeBack) {
    std::mt19937_64 random(5);
    Deltas deltas;
    for (int i = 0; i < 5000; ++i) {
        const u64 ticks = i % 7 == 0 ? 0 : random() >> (random() % 64);
        deltas.push_back({static_cast<u32>(random() % 300), ticks});
    }
    expect_back(deltas);
    expect_back({{0, ~u64{0}}});
    expect_back({{9, 0}, {9, ~u64{0}}, {9, 1}, {9, ~u64{0} - 4}});
}

TEST(TimingCodec, EqualGroupsKeepTheirOrder) {
    Deltas deltas;
    for (u32 i = 0; i < 1000; ++i) deltas.push_back({4, i * i});
    expect_back(deltas);
}

std::vector<u64> ticks_of(const Deltas& deltas) {
    std::vector<u64> ticks;
    for (const auto& delta : deltas) ticks.push_back(delta.ticks);
    return ticks;
}

TEST(TimingCodec, ALocationLearnsNothingFromTheOneBefore) {
    Deltas deltas;
    for (u32 i = 0; i < 1000; ++i) deltas.push_back({i % 7, i * i % 900});
    std::string bytes;
    TimingEncoder encoder([&bytes](std::string_view block) { bytes += block; });
    for (int location = 0; location < 3; ++location) {
        bytes.clear();
        encoder.begin();
        encoder.add(deltas);
        encoder.finish();
        EXPECT_EQ(bytes, encoded(deltas)) << location;
    }
}

TEST(TimingCodec, CoarseClocksMayStumble) {
    std::mt19937_64 random(6);
    Deltas deltas{{0, 123456789}};
    for (int i = 0; i < 20000; ++i)
        deltas.push_back({static_cast<u32>(i % 11), random() % 900 * 26});
    EXPECT_EQ(clock_granularity(ticks_of(deltas)), 26U);
    const std::string regular = encoded(deltas);
    for (std::size_t i = 500; i < deltas.size(); i += 2000) deltas[i].ticks += 1 + i % 25;
    EXPECT_EQ(clock_granularity(ticks_of(deltas)), 26U);
    expect_back(deltas);
    EXPECT_LT(encoded(deltas).size(), regular.size() + 200);
}

TEST(TimingCodec, LongTimingHasSeveralBlocks) {
    for (const std::size_t extra : {0U, 1U, 3U}) {
        Deltas deltas;
        const std::size_t size = 2 * TimingEncoder::kBlockRecords + extra;
        for (std::size_t i = 0; i < size; ++i) {
            deltas.push_back({static_cast<u32>(i % 3), i % 1000 * 5});
        }
        expect_back(deltas);
    }
}

TEST(TimingCodec, GroupsWithoutEndShareTheirMemory) {
    Deltas deltas;
    for (u32 i = 0; i < 40000; ++i) deltas.push_back({i * 100000, i % 700});
    expect_back(deltas);
}

TEST(TimingCodec, ContextsWithoutEndAreOne) {
    std::mt19937_64 random(8);
    Deltas deltas;
    for (int i = 0; i < 400000; ++i) {
        deltas.push_back({static_cast<u32>(random() % 2000), random() >> (random() % 64)});
    }
    expect_back(deltas);
}

TEST(TimingCodec, LearnsWhatFollowsWhat) {
    std::mt19937_64 random(9);
    Deltas noise;
    Deltas echo;
    for (int i = 0; i < 20000; ++i) {
        const bool slow = random() % 2 == 0;
        noise.push_back({0, slow ? 700U : 70U});
        echo.push_back({0, i / 2 % 2 == 0 ? 700U : 70U});
    }
    EXPECT_GT(encoded(noise).size(), 2400U);
    EXPECT_LT(encoded(echo).size(), 400U);
}

TEST(TimingCodec, DamageIsAnError) {
    const std::string bytes = encoded({{0, 5}, {1, 1000}, {0, 6}});
    TimingDecoder early(bytes, "test");
    early.next(0);
    expect_error(ErrorKind::corrupt, "more times", [&] { early.expect_end(); });
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const std::string cut = bytes.substr(0, size);
        EXPECT_THROW(TimingDecoder(cut, "test").next(0), Error) << size;
    }
    const std::string longer_bytes = bytes + '\1';
    TimingDecoder longer(longer_bytes, "test");
    for (const u32 group : {0U, 1U, 0U}) longer.next(group);
    expect_error(ErrorKind::corrupt, "", [&] { longer.expect_end(); });
}

TEST(TimingCodec, OtherGroupsAreAnError) {
    Deltas deltas;
    for (u32 i = 0; i < 500; ++i) deltas.push_back({i % 2, i % 2 == 0 ? 30 : i * i});
    const std::string bytes = encoded(deltas);
    TimingDecoder decoder(bytes, "test");
    expect_error(ErrorKind::corrupt, "does not fit", [&] {
        for (u32 i = 0; i < 500; ++i) decoder.next(0);
    });
}

TEST(TimingCodec, ImpossibleBlocksAreErrors) {
    const auto read = [](std::initializer_list<int> bytes) {
        std::string text;
        for (const int byte : bytes) text.push_back(static_cast<char>(byte));
        TimingDecoder(text, "test").next(0);
    };
    const auto expect = [&read](const std::string& what, std::initializer_list<int> bytes) {
        expect_error(ErrorKind::corrupt, what, [&] { read(bytes); });
    };
    // granularity records first changes (gap remainder)* size symbols size bits
    read({1, 1, 9, 0, 8, 1, 0, 0, 0, 1, 0, 0, 0, 0});
    expect("head", {0, 1, 9, 0, 8, 1, 0, 0, 0, 1, 0, 0, 0, 0});
    expect("head", {1, 0, 9, 0, 8, 1, 0, 0, 0, 1, 0, 0, 0, 0});
    expect("head", {1, 0xFF, 0xFF, 3, 9, 0, 0, 0});
    expect("no record", {1, 2, 9, 1, 0, 5, 0, 0});
    expect("no record", {1, 2, 9, 1, 2, 5, 0, 0});
    expect("does not fit", {1, 1, 9, 0, 0, 0});
    expect("does not fit", {1, 1, 9, 0, 8, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0});
}

}  // namespace

}  // namespace tracefold
