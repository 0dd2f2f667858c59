// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/flat_map.hpp"

#include <map>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// Many keys want the same place, at the end of the array as well.
struct CrowdedHash {
    u64 operator()(u64 number) const { return number % 3; }
};

template <class Map>
std::map<u64, std::string> entries(const Map& map) {
    std::map<u64, std::string> result;
    map.for_each([&](u64 key, const std::string& value) {
        EXPECT_TRUE(result.emplace(key, value).second) << key;
    });
    return result;
}

template <class Hash>
class FlatMapTest : public testing::Test {};
using Hashes = testing::Types<NumberHash, CrowdedHash>;
TYPED_TEST_SUITE(FlatMapTest, Hashes);

/// Grows, shrinks and becomes empty again and again, with the keys of std::map at every moment.
TYPED_TEST(FlatMapTest, HasWhatAMapHas) {
    std::mt19937 random(11);
    FlatMap<u64, std::string, TypeParam> map;
    std::map<u64, std::string> wanted;
    for (int round = 0; round < 30000; ++round) {
        const u64 key = random() % 200;
        const bool adds = random() % 8 < (round / 1000 % 2 == 0 ? 5 : 2);
        if (adds) {
            const std::string value = std::to_string(round);
            const auto [found, fresh] = map.try_emplace(key, value);
            const auto [place, added] = wanted.try_emplace(key, value);
            ASSERT_EQ(fresh, added);
            ASSERT_EQ(*found, place->second);
        } else {
            ASSERT_EQ(map.erase(key), wanted.erase(key) == 1);
        }
        const u64 other = random() % 200;
        const auto place = wanted.find(other);
        ASSERT_EQ(map.contains(other), place != wanted.end());
        if (place != wanted.end()) {
            ASSERT_EQ(*map.find(other), place->second);
        }
        ASSERT_EQ(map.size(), wanted.size());
        if (round % 500 == 0) {
            ASSERT_EQ(entries(map), wanted);
        }
    }
}

TYPED_TEST(FlatMapTest, IsEmptyAgainAfterManyEntries) {
    FlatMap<u64, u64, TypeParam> map;
    EXPECT_FALSE(map.erase(1));
    EXPECT_EQ(map.find(1), nullptr);
    for (u64 key = 0; key < 2000; ++key) map[key] = key * key;
    for (u64 key = 0; key < 2000; ++key) {
        ASSERT_EQ(map[key], key * key);
        ASSERT_TRUE(map.erase(key));
    }
    EXPECT_TRUE(map.empty());
    EXPECT_EQ(map[7], 0U);
    EXPECT_EQ(map.size(), 1U);
}

}  // namespace
}  // namespace tracefold
