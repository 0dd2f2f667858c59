// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/rank_grid.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

/// A number as a function of the place in a grid: `base` plus, for each dimension,
/// `stride * ((sum of coefficient * coordinate + offset) mod size)`. Neighbours on a torus, block
/// distributions without a remainder, transposed ranks, and the cells of a multi-partition (Bruno
/// and Cappello, as in NPB BT and SP) are such functions. Arithmetic is modulo 2^64.
struct RankFunction {
    struct Term {
        u64 stride = 0;
        u32 offset = 0;                 ///< below the size of the dimension
        std::vector<u32> coefficients;  ///< by dimension; below the size of the term's own one

        bool operator==(const Term&) const = default;
    };

    u64 base = 0;
    std::vector<Term> terms;  ///< by dimension, whose size is the modulus

    bool operator==(const RankFunction&) const = default;
};

/// Precondition: a term for every dimension.
u64 evaluate(const RankFunction& function, const RankGrid& grid, u64 participant);

/// A function that gives each participant its value; nothing if none is found. Found are sums of
/// functions of one coordinate each, and places of the grid, numbered from the least value on.
/// Equal values have equal functions. Precondition: a value for every participant. Cost: at most
/// linear in them.
std::optional<RankFunction> fit_function(const RankGrid& grid, std::span<const u64> values);

/// Values that are places of the grid; nothing if they are not. Preconditions and cost as above.
std::optional<RankFunction> fit_places(const RankGrid& grid, std::span<const u64> values);

/// The place that lies equally far from each of `participants` in each dimension, round the ends of
/// the grid; nothing if their values are no such places. For some participants of a grid, which are
/// too few for fit_function(). Precondition: a value for every one of them. Cost: linear in them.
std::optional<RankFunction> fit_displacement(const RankGrid& grid,
                                             std::span<const u32> participants,
                                             std::span<const u64> values);

/// A rank as a place of the grid, x fastest: "(x+1 mod 8, y)". Nothing if the function does not
/// lead from place to place, each coordinate going with one of the own ones.
std::optional<std::string> place_text(const RankFunction& function, const RankGrid& grid);

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
