// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/columns/merged_functions.hpp"
#include "support/random_source.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Sequences = std::vector<std::vector<u64>>;

constexpr std::size_t kAny = ~std::size_t{0};

std::vector<u64> items_of(const std::vector<MergedItem>& merged) {
    std::vector<u64> items;
    for (const MergedItem& item : merged) items.push_back(item.item);
    return items;
}

/// The sequences that come out when items are left out.
Sequences parts_of(const std::vector<MergedItem>& merged, std::size_t count) {
    Sequences parts(count);
    for (const MergedItem& item : merged) {
        for (std::size_t i = 0; i < count; ++i) {
            if (item.present[i]) parts[i].push_back(item.item);
        }
    }
    return parts;
}

TEST(MergedSequenceTest, EqualOnesAreOne) {
    const Sequences sequences(3, {1, 2, 3});
    const auto merged = merge_sequences(sequences, kAny);
    ASSERT_TRUE(merged);
    EXPECT_EQ(items_of(*merged), sequences[0]);
    EXPECT_EQ(parts_of(*merged, 3), sequences);
}

TEST(MergedSequenceTest, WhatSomeLackIsThereOnce) {
    const Sequences sequences = {{1, 2, 4, 5}, {1, 2, 3, 4, 5, 6}, {2, 3, 5}, {5, 6}};
    const auto merged = merge_sequences(sequences, kAny);
    ASSERT_TRUE(merged);
    EXPECT_EQ(items_of(*merged), sequences[1]);
    EXPECT_EQ(parts_of(*merged, 4), sequences);
}

TEST(MergedSequenceTest, AllComeOutAgain) {
    RandomSource random(8);
    for (int round = 0; round < 200; ++round) {
        Sequences sequences(1 + random.below(6));
        for (auto& sequence : sequences) {
            const u64 length = 1 + random.below(30);
            for (u64 k = 0; k < length; ++k) sequence.push_back(random.below(5));
        }
        const auto merged = merge_sequences(sequences, kAny);
        ASSERT_TRUE(merged);
        EXPECT_EQ(parts_of(*merged, sequences.size()), sequences);
        std::size_t all = 0;
        for (const auto& sequence : sequences) all += sequence.size();
        EXPECT_LE(merged->size(), all);
    }
}

/// Cell by cell, as in textbooks.
std::size_t common_length(const std::vector<u64>& a, const std::vector<u64>& b) {
    std::vector<std::vector<std::size_t>> lengths(a.size() + 1,
                                                  std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = a.size(); i-- > 0;) {
        for (std::size_t k = b.size(); k-- > 0;) {
            lengths[i][k] = a[i] == b[k] ? lengths[i + 1][k + 1] + 1
                                         : std::max(lengths[i + 1][k], lengths[i][k + 1]);
        }
    }
    return lengths[0][0];
}

TEST(MergedSequenceTest, TwoHaveAsMuchInCommonAsPossible) {
    RandomSource random(9);
    for (int round = 0; round < 100; ++round) {
        Sequences sequences(2);
        for (auto& sequence : sequences) {
            const u64 length = 1 + random.below(200);
            for (u64 k = 0; k < length; ++k) sequence.push_back(random.below(2 + round));
        }
        const auto merged = merge_sequences(sequences, kAny);
        ASSERT_TRUE(merged);
        EXPECT_EQ(parts_of(*merged, 2), sequences);
        EXPECT_EQ(merged->size(), sequences[0].size() + sequences[1].size() -
                                      common_length(sequences[0], sequences[1]));
    }
}

TEST(MergedSequenceTest, WhatWouldBeTooLongIsLeftAlone) {
    const Sequences sequences = {{1, 2, 3}, {4, 2, 5}};
    EXPECT_TRUE(merge_sequences(sequences, 5));
    EXPECT_FALSE(merge_sequences(sequences, 4));
}

TEST(MergedSequenceTest, WhatWouldTakeLongIsLeftAlone) {
    Sequences sequences(2, std::vector<u64>(10'000));
    for (u64 k = 0; k < sequences[0].size(); ++k) {
        sequences[0][k] = k;
        sequences[1][k] = 20'000 + k;
    }
    EXPECT_FALSE(merge_sequences(sequences, kAny));
}

}  // namespace
}  // namespace tracefold
