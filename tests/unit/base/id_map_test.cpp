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

TEST(IdMapTest, RisingKeysComeBack) {
    IdMap ids;
    for (u64 key = 0; key < 100'000; ++key) ids.set(7 + 3 * key, key);
    for (u64 key = 0; key < 100'000; ++key) ASSERT_EQ(ids.find(7 + 3 * key), key);
    EXPECT_EQ(ids.find(8), std::nullopt);
}

}  // namespace
}  // namespace tracefold
