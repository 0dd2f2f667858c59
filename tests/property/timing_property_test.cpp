// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "file/format/timing_codec.hpp"
#include "support/random_source.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Deltas = std::vector<CallBatch::Delta>;

/// A clock with a step, some noise on it, and now and then anything at all.
Deltas random_deltas(RandomSource& random) {
    const u64 step = random.one_in(2) ? 1 : random.between(2, 3000);
    const u64 groups = random.between(1, 40);
    const u64 stumbles = random.one_in(3) ? 50 : 100000;
    Deltas deltas(random.one_in(8) ? random.between(30000, 70000) : random.below(600));
    for (CallBatch::Delta& delta : deltas) {
        delta.group = static_cast<u32>(random.one_in(5000) ? random.any() : random.below(groups));
        delta.ticks = step * (random.below(20 + delta.group % 64) << random.below(4));
        if (random.one_in(stumbles)) delta.ticks = random.value();
    }
    return deltas;
}

std::string encoded(const Deltas& deltas, RandomSource& random) {
    std::string bytes;
    TimingEncoder encoder([&bytes](std::string_view block) { bytes += block; });
    for (auto next = deltas.begin(); next != deltas.end();) {
        const auto last = next + static_cast<std::ptrdiff_t>(
                                     random.between(1, static_cast<u64>(deltas.end() - next)));
        encoder.add(Deltas(next, last));
        next = last;
    }
    encoder.finish();
    return bytes;
}

TEST(TimingPropertyTest, AnyTicksComeBack) {
    for (u64 seed = 0; seed < 300; ++seed) {
        RandomSource random(seed);
        const Deltas deltas = random_deltas(random);
        const std::string bytes = encoded(deltas, random);
        TimingDecoder decoder(bytes, "test");
        for (std::size_t i = 0; i < deltas.size(); ++i) {
            ASSERT_EQ(decoder.next(deltas[i].group), deltas[i].ticks)
                << "seed " << seed << " record " << i;
        }
        decoder.expect_end();
    }
}

TEST(TimingPropertyTest, TicksComeBackInPiecesOfAnySize) {
    for (u64 seed = 0; seed < 100; ++seed) {
        RandomSource random(seed);
        const Deltas deltas = random_deltas(random);
        const std::string bytes = encoded(deltas, random);
        std::vector<u32> groups;
        for (const CallBatch::Delta& delta : deltas) groups.push_back(delta.group);
        std::vector<u64> ticks(deltas.size());
        TimingDecoder decoder(bytes, "test");
        for (std::size_t i = 0; i < groups.size();) {
            const u64 count = random.between(1, groups.size() - i);
            decoder.next(std::span(groups).subspan(i, count), ticks.data() + i);
            i += count;
        }
        decoder.expect_end();
        for (std::size_t i = 0; i < deltas.size(); ++i) {
            ASSERT_EQ(ticks[i], deltas[i].ticks) << "seed " << seed << " record " << i;
        }
    }
}

TEST(TimingPropertyTest, PiecesDoNotMatter) {
    for (u64 seed = 0; seed < 20; ++seed) {
        RandomSource random(seed);
        const Deltas deltas = random_deltas(random);
        const std::string once = encoded(deltas, random);
        EXPECT_EQ(encoded(deltas, random), once) << "seed " << seed;
    }
}

TEST(TimingPropertyTest, DamageEndsInAnErrorOrInOtherTicks) {
    int silent = 0;
    for (u64 seed = 0; seed < 300; ++seed) {
        RandomSource random(40'000 + seed);
        const Deltas deltas = random_deltas(random);
        std::string bytes = encoded(deltas, random);
        if (bytes.empty()) continue;
        const u64 place = random.below(bytes.size());
        bytes[place] = static_cast<char>(bytes[place] ^ static_cast<char>(random.between(1, 255)));
        bool other = false;
        try {
            TimingDecoder decoder(bytes, "test");
            for (const CallBatch::Delta& delta : deltas) {
                other = decoder.next(delta.group) != delta.ticks || other;
            }
            decoder.expect_end();
        } catch (const Error& error) {
            EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(ErrorKind::corrupt));
            other = true;
        }
        silent += other ? 0 : 1;
    }
    // The granularity means nothing to a block whose differences are all 0.
    EXPECT_LE(silent, 3);
}

}  // namespace
}  // namespace tracefold
