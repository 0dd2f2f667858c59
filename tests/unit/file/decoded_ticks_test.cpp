// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/call_reader.hpp"
#include "file/tick_source.hpp"
#include "support/sample_file.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Ticks = std::vector<u64>;

constexpr u64 kLongest = ~u64{0};
const Ticks kTicks = {0,           7,           0xFFFD,        0xFFFE,   0xFFFF, 0x1'0000,
                      0xFFFF'FFFE, 0xFFFF'FFFF, u64{1} << 32U, kLongest, 3};

bool is_kept(DecodedTicks& store, u32 location) { return store.reader(location).has_ticks(); }

void keep(DecodedTicks& store, u32 location, const Ticks& ticks) {
    const auto writer = store.writer(location, ticks.size());
    ASSERT_NE(writer, nullptr);
    writer->add(ticks);
    writer->finish();
}

TEST(DecodedTicksTest, GivesBackTicksOfAnyLengthInPartsOfAnySize) {
    DecodedTicks store(10'000);
    keep(store, 5, kTicks);
    for (std::size_t part = 1; part <= kTicks.size(); ++part) {
        DecodedTicks::Reader reader = store.reader(5);
        Ticks read(kTicks.size());
        for (std::size_t at = 0; at < read.size(); at += part) {
            reader.next(std::span(read).subspan(at, std::min(part, read.size() - at)));
        }
        EXPECT_EQ(read, kTicks);
    }
    EXPECT_FALSE(is_kept(store, 4));
}

TEST(DecodedTicksTest, KeepsNothingOfALocationThatWasNotReadToItsEnd) {
    DecodedTicks store(10'000);
    {
        const auto writer = store.writer(0, 4);
        writer->add(Ticks{1, 2, 3});
        writer->finish();
        EXPECT_FALSE(is_kept(store, 0));
        EXPECT_EQ(store.writer(0, 4), nullptr) << "somebody is writing";
        writer->add(Ticks{4});
    }
    EXPECT_FALSE(is_kept(store, 0)) << "nobody said that they are right";
    keep(store, 0, {1, 2, 3, 4});
    EXPECT_TRUE(is_kept(store, 0));
    EXPECT_EQ(store.writer(0, 4), nullptr) << "they are there";
}

TEST(DecodedTicksTest, AReaderMayComeToItsEndAgain) {
    DecodedTicks store(10'000);
    const auto writer = store.writer(0, 2);
    writer->add(Ticks{1, 2});
    writer->finish();
    writer->finish();
    Ticks read(2);
    store.reader(0).next(read);
    EXPECT_EQ(read, (Ticks{1, 2}));
}

TEST(DecodedTicksTest, HasRoomForSomeLocationsAndGivesItBack) {
    DecodedTicks store(2 * (1000 + 1000 / 16 + 64));
    EXPECT_EQ(store.writer(0, 1001), nullptr);
    EXPECT_EQ(store.writer(0, ~u64{0}), nullptr);
    EXPECT_NE(store.writer(0, 1000), nullptr) << "and leaves without having written";
    keep(store, 1, Ticks(1000, 1));
    EXPECT_EQ(store.writer(2, 1000), nullptr);
    keep(store, 2, Ticks(50, 1));
    EXPECT_TRUE(is_kept(store, 2)) << "location 1 gave back what it did not need";
}

TEST(DecodedTicksTest, LongTicksTakeMoreRoomAsFarAsThereIsAny) {
    DecodedTicks store(10'000);
    keep(store, 0, Ticks(1000, kLongest));
    EXPECT_FALSE(is_kept(store, 0)) << "they need more than 10,000 bytes";
    keep(store, 0, Ticks(500, kLongest));
    EXPECT_TRUE(is_kept(store, 0));
    Ticks read(500);
    store.reader(0).next(read);
    EXPECT_EQ(read, Ticks(500, kLongest));
    keep(store, 1, Ticks(1000, 1));
    EXPECT_TRUE(is_kept(store, 1));
}

std::vector<u64> times_of(TraceFile& file, u32 location) {
    std::vector<u64> times;
    drain(*file.events(location), [&times](const RecordBatch& batch) {
        for (const auto& head : batch.heads()) times.push_back(head.time);
    });
    return times;
}

class KeptTicksTest : public ::testing::TestWithParam<const char*> {};

TEST_P(KeptTicksTest, ATraceHasTheSameTimesEachTimeThatItIsRead) {
    for (const TimingLevel timing :
         {TimingLevel::exact, TimingLevel::quantized, TimingLevel::histogram, TimingLevel::none}) {
        SampleFile sample(GetParam(), timing);
        TraceFile file(sample.path());
        file.keep_decoded_ticks();
        for (u32 location = 0; location < file.location_count(); ++location) {
            const std::vector<u64> times = times_of(*sample, location);
            EXPECT_EQ(times_of(file, location), times);
            EXPECT_EQ(is_kept(*file.decoded_ticks(), location), timing == TimingLevel::exact);
            EXPECT_EQ(times_of(file, location), times);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, KeptTicksTest,
                         ::testing::Values("micro-user-4", "micro-omphyb-4", "npb-lu.S-4"));

}  // namespace
}  // namespace tracefold
