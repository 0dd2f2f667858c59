// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/rank_grid.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

/// A function of the position in a grid: `base` plus, for each dimension, `stride * ((sum of
/// coefficient * coordinate + offset) mod size)`. It describes neighbours on a torus, block
/// distributions without a remainder, transposed ranks, and the cells of a multi-partition (Bruno
/// and Cappello, as in NPB BT and SP). Arithmetic is modulo 2^64.
struct RankFunction {
    struct Term {
        u64 stride = 0;
        u32 offset = 0;                 ///< below the size of the dimension
        std::vector<u32> coefficients;  ///< by dimension; below the size of the term's dimension

        bool operator==(const Term&) const = default;
    };

    u64 base = 0;
    std::vector<Term> terms;  ///< by dimension, whose size is the modulus

    bool operator==(const RankFunction&) const = default;
};

/// Precondition: one term per dimension.
u64 evaluate(const RankFunction& function, const RankGrid& grid, u64 participant);

/// Fits a function to the values of the participants; nothing if none is found. Finds sums of
/// functions of one coordinate each, and permutations of the grid positions, numbered from the
/// smallest value on. Equal values give equal functions. Precondition: a value for every
/// participant. Cost: at most linear in them.
std::optional<RankFunction> fit_function(const RankGrid& grid, std::span<const u64> values);

/// Fits values that are grid positions, else nothing. Precondition and cost as fit_function().
std::optional<RankFunction> fit_places(const RankGrid& grid, std::span<const u64> values);

/// Fits a constant displacement: every value is the position at the same distance from its
/// participant in each dimension, modulo the sizes of the grid; nothing if there is none. For
/// subsets of participants that are too small for fit_function(). Precondition: a value for every
/// participant. Cost: linear in them.
std::optional<RankFunction> fit_displacement(const RankGrid& grid,
                                             std::span<const u32> participants,
                                             std::span<const u64> values);

/// Formats a rank as a grid position, x fastest: "(x+1 mod 8, y)". Nothing if the function does not
/// map positions to positions, each coordinate depending on one own coordinate.
std::optional<std::string> place_text(const RankFunction& function, const RankGrid& grid);

/// Finds the permutation of the positions of a square grid that groups the values into the fewest
/// blocks: the cells of a multi-partition whose dimensions are cut into parts of a few sizes. Two
/// of the combinations x, y, x + y and x - y are parallel to the sides of the blocks; their origin
/// and direction depend on the sums of the values only. Precondition: two dimensions of one size; a
/// value for every participant. Cost: n log n in the participants.
RankFunction find_blocks(const RankGrid& grid, std::span<const u64> values);

/// Finds the permutation of the positions of a square grid, along combinations as in find_blocks(),
/// that maps the values to a known square: each value is that of the square at the mapped position.
/// Nothing if there is none, or if too many candidates match. Precondition: as find_blocks(), for
/// both. Cost: linear in the participants.
std::optional<RankFunction> find_way(const RankGrid& grid, std::span<const u64> square,
                                     std::span<const u64> values);

}  // namespace tracefold
