// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/id_map.hpp"

#include <map>
#include <random>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(IdMapTest, AnyKeysComeBack) {
    std::mt19937_64 random(67);
    for (int map = 0; map < 500; ++map) {
        IdMap ids;
        std::map<u64, u64> wanted;
        ids.reserve(random() % 3);
        const u64 around[] = {0, ~u64{0}, u64{1} << 63U, random()};
        for (int i = 0; i < 60; ++i) {
            const u64 key = around[random() % 4] + random() % 3000 - 1500;
            const u64 value = random() % 8 == 0 ? ~u64{0} : random() % 100;
            ids.set(key, value);
            wanted[key] = value;
        }
        for (const auto& [key, value] : wanted) {
            ASSERT_EQ(ids.find(key), value) << key;
            ASSERT_EQ(ids.at(key), value) << key;
            if (!wanted.contains(key + 1)) {
                ASSERT_EQ(ids.at(key + 1), key + 1);
            }
        }
    }
}

TEST(IdMapTest, ProgressionsThatBreakComeBack) {
    constexpr u64 kKeys = 6000;
    for (const u64 broken : {u64{3}, u64{1023}, u64{1024}, u64{2500}, kKeys, kKeys + 9}) {
        for (const u64 value : {u64{1}, 10 + 3 * broken, ~u64{0}}) {
            IdMap ids;
            for (u64 key = 0; key < kKeys; ++key) ids.set(100 + key, 10 + 3 * key);
            ids.set(100 + broken, value);
            ids.set(50, 7);
            for (u64 key = 0; key < kKeys; ++key) {
                ASSERT_EQ(ids.find(100 + key), key == broken ? value : 10 + 3 * key);
            }
            EXPECT_EQ(ids.at(100 + broken), value);
            EXPECT_EQ(ids.find(50), 7);
            EXPECT_EQ(ids.find(51), std::nullopt);
            EXPECT_EQ(ids.at(100 + kKeys + 10), 100 + kKeys + 10);
        }
    }
}

TEST(IdMapTest, ProgressionsUpToTheLargestValueComeBack) {
    constexpr u64 kKeys = 1100;
    IdMap ids;
    for (u64 key = 0; key <= kKeys; ++key) ids.set(key, key - kKeys - 1);
    ids.set(5, 7);
    EXPECT_EQ(ids.find(5), 7);
    EXPECT_EQ(ids.find(kKeys), ~u64{0});
    EXPECT_EQ(ids.at(kKeys), ~u64{0});
}

TEST(IdMapTest, RisingKeysComeBack) {
    IdMap ids;
    for (u64 key = 0; key < 100'000; ++key) ids.set(7 + 3 * key, key);
    for (u64 key = 0; key < 100'000; ++key) ASSERT_EQ(ids.find(7 + 3 * key), key);
    EXPECT_EQ(ids.find(8), std::nullopt);
}

}  // namespace
}  // namespace tracefold
