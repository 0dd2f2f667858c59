// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/rank_function.hpp"

#include <optional>
#include <span>

namespace tracefold {

/// The way through a square grid, from place to place, that brings values into the fewest blocks:
/// the cells of a multi-partition whose dimensions are cut into parts of a few sizes. Two of the
/// combinations x, y, x + y and x - y run along the sides of the blocks; where they begin, and
/// which way they go, depends on the sums of the values only. Precondition: two dimensions of one
/// size; a value for every participant. Cost: the participants, a few times with a logarithm.
RankFunction find_blocks(const RankGrid& grid, std::span<const u64> values);

/// The way through a square grid, from place to place, along combinations as above, that brings
/// values into a known square: each value is what the square has where the way leads to. Nothing if
/// there is none, or if many ways have to be tried. Precondition: as above, for both. Cost: the
/// participants, a few times.
std::optional<RankFunction> find_way(const RankGrid& grid, std::span<const u64> square,
                                     std::span<const u64> values);

}  // namespace tracefold
