// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "fold/columns/function_draft.hpp"
#include "support/random_source.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(PackedDigitsTest, DigitsShareParts) {
    const std::vector<u32> sizes = {7, 6, 5, 4, 3, 2};  // 5,040 orders in two parts and a bit
    const std::vector<u64> parts = pack_digits(std::vector<u64>{1, 0, 0, 0, 0, 0}, sizes);
    EXPECT_EQ(parts, (std::vector<u64>{0, 720 / 64, 720 % 64}));
    EXPECT_EQ(packed_parts({}), 0U);
    EXPECT_EQ(packed_parts(std::vector<u32>{1, 1}), 0U);
    EXPECT_EQ(packed_parts(std::vector<u32>(60, 2)), 10U);
    EXPECT_EQ(packed_parts(std::vector<u32>(61, 2)), 11U);
}

TEST(PackedDigitsTest, UnpackingIsTheInverse) {
    RandomSource random(8);
    for (int round = 0; round < 500; ++round) {
        std::vector<u32> sizes;
        std::vector<u64> digits;
        double bits = 0;
        const u64 most = u64{1} << random.between(1, 32);
        for (u64 left = random.below(200); left > 0; --left) {
            sizes.push_back(static_cast<u32>(random.between(1, most - 1)));
            digits.push_back(random.below(sizes.back()));
            bits += std::log2(sizes.back());
        }
        const std::vector<u64> parts = pack_digits(digits, sizes);
        EXPECT_EQ(parts.size(), packed_parts(sizes));
        EXPECT_EQ(unpack_digits(parts, sizes), digits);
        if (most <= 64) {
            EXPECT_LE(static_cast<double>(parts.size() * 6), bits * 60 / 54 + 12);
        }
    }
}

TEST(PackedDigitsTest, DamagedPartsAreRefused) {
    const std::vector<u32> sizes = {3, 3};
    EXPECT_EQ(unpack_digits(std::vector<u64>{8}, sizes), (std::vector<u64>{2, 2}));
    EXPECT_THROW(unpack_digits(std::vector<u64>{9}, sizes), Error);
    EXPECT_THROW(unpack_digits(std::vector<u64>{64}, sizes), Error);
}

}  // namespace
}  // namespace tracefold
