// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/timing_codec.hpp"

#include "format/clock_granularity.hpp"
#include "format/tick_buckets.hpp"
#include "unit/io/expect_error.hpp"

#include <random>
#include <string>

namespace tracefold {

namespace {

using Deltas = std::vector<CallBatch::Delta>;

std::string encoded(const Deltas& deltas) {
    std::string bytes;
    TimingEncoder encoder([&bytes](std::string_view block) { bytes += block; }, 1);
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

TEST(TickBuckets, EveryNumberComesBack) {
    std::mt19937_64 random(3);
    std::vector<u64> numbers{0, 7, 8, 15, 16, (u64{1} << 33U) - 1, u64{1} << 33U, ~u64{0}};
    for (int i = 0; i < 2000; ++i) numbers.push_back(random() >> (random() % 64));
    BitWriter writer;
    for (const u64 number : numbers) {
        const TickBucket bucket = bucket_of(number);
        EXPECT_EQ(bucket.low_bits, low_bits_of(bucket.bucket));
        writer.put(bucket.low, bucket.low_bits);
    }
    const std::string packed = writer.take();
    BitReader reader(packed);
    for (const u64 number : numbers) {
        const u8 bucket = bucket_of(number).bucket;
        EXPECT_EQ(value_of(bucket, reader.get(low_bits_of(bucket))), number);
    }
    EXPECT_FALSE(reader.overrun());
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

TEST(TimingCodec, CoarseClocksMayStumble) {
    std::mt19937_64 random(6);
    Deltas deltas{{0, 123456789}};
    for (int i = 0; i < 20000; ++i)
        deltas.push_back({static_cast<u32>(i % 11), random() % 900 * 26});
    EXPECT_EQ(clock_granularity(deltas), 26U);
    const std::string regular = encoded(deltas);
    for (std::size_t i = 500; i < deltas.size(); i += 2000) deltas[i].ticks += 1 + i % 25;
    EXPECT_EQ(clock_granularity(deltas), 26U);
    expect_back(deltas);
    EXPECT_LT(encoded(deltas).size(), regular.size() + 200);
}

TEST(TimingCodec, LongTimingHasSeveralBlocks) {
    Deltas deltas;
    const std::size_t size = 2 * TimingEncoder::kBlockRecords + 3;
    for (std::size_t i = 0; i < size; ++i) {
        deltas.push_back({static_cast<u32>(i % 3), i % 1000 * 5});
    }
    expect_back(deltas);
}

TEST(TimingCodec, DamageIsAnError) {
    const std::string bytes = encoded({{0, 5}, {1, 1000}, {0, 6}});
    TimingDecoder other(bytes, "test");
    expect_error(ErrorKind::corrupt, "does not fit", [&] { other.next(2); });
    TimingDecoder early(bytes, "test");
    early.next(0);
    expect_error(ErrorKind::corrupt, "more times", [&] { early.expect_end(); });
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const std::string cut = bytes.substr(0, size);
        TimingDecoder decoder(cut, "test");
        EXPECT_THROW(decoder.next(0), Error) << size;
    }
}

}  // namespace

}  // namespace tracefold
