// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/rank_grid.hpp"

#include <optional>
#include <span>
#include <vector>

namespace tracefold {

/// Part of a grid: the coordinates from `begin` to below `end` in each dimension.
struct GridBox {
    std::vector<u32> begin;
    std::vector<u32> end;
};

/// A number as a product of functions of one coordinate each: `base` times a factor for each
/// dimension. Areas and volumes of the boxes of a domain that is cut in each dimension, be the
/// parts equal or not, are such products. Arithmetic is modulo 2^64.
struct RankProduct {
    u64 base = 0;
    /// By dimension, by coordinate; empty where the factor is always 1.
    std::vector<std::vector<u64>> factors;

    bool operator==(const RankProduct&) const = default;
};

/// Precondition: factors for every dimension.
u64 evaluate(const RankProduct& product, const DigitGrid& grid, u64 participant);

/// The product that gives the participants of a box their values; nothing if there is none. Factors
/// have no common divisor, so that the same edges have the same factors whatever the base is, and
/// those outside the box are what the nearest ones inside are. Precondition: a value for every
/// participant, of which those outside the box do not matter; a box that is not empty. Cost: the
/// box.
std::optional<RankProduct> fit_product(const DigitGrid& grid, const GridBox& box,
                                       std::span<const u64> values);

}  // namespace tracefold
