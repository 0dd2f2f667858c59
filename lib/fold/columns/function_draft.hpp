// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "fold/structure_pool.hpp"
#include "model/rank_function.hpp"

#include <algorithm>
#include <compare>
#include <span>
#include <vector>

namespace tracefold {

/// A function of the place in a grid as a file has it, see FunctionTable.
struct PlaceFunction {
    struct Term {
        u64 stride = 0;
        i64 offset = 0;
        std::vector<u32> coefficients;
        u32 factor = 0;  ///< 0: none; else 1 + number of the factor

        auto operator<=>(const Term&) const = default;
    };

    u64 base = 0;
    std::vector<Term> terms;
    u32 lookup = 0;  ///< 0: none; else 1 + number of the lookup

    auto operator<=>(const PlaceFunction&) const = default;

    [[nodiscard]] bool has_factors() const {
        return std::any_of(terms.begin(), terms.end(),
                           [](const Term& term) { return term.factor != 0; });
    }
};

/// Numbers over the coordinates of a dimension, by factor.
using Factors = std::vector<std::vector<u64>>;

/// The number that a function gives the place with these coordinates, before any lookup: the base
/// and the parts of all terms, or the base times the factors if it has any. inside becomes false if
/// it leaves the grid. Precondition: a term for every dimension, offsets and coefficients below its
/// size; the factors of its terms have a number for each coordinate.
u64 evaluate(const PlaceFunction& function, const DigitGrid& grid, const Factors& factors,
             std::span<const u32> place, bool& inside);

/// The coordinates of a participant.
std::vector<u32> place_of(const DigitGrid& grid, u64 participant);

/// A FunctionTable whose parts are numbers, not columns yet.
struct FunctionDraft {
    DigitGrid grid;
    std::vector<PlaceFunction> functions;
    std::vector<std::vector<u64>> lookups;
    bool periodic = false;
    std::vector<u64> function_of;             ///< by number
    std::vector<u64> presence;                ///< by number; empty: everywhere
    std::vector<u64> group_of;                ///< by participant; empty: all in one
    std::vector<std::vector<u64>> presences;  ///< by group
    Factors factors{};
    std::vector<u64> order{};    ///< by number; empty: as they stand
    std::vector<u64> choices{};  ///< parts of packed digits
    bool follows = false;
};

/// Puts the numbers into columns.
FunctionTable table_of(StructurePool& pool, const FunctionDraft& draft);

/// Digits that nothing predicts, such as those of orders by chance, in about as many bits as they
/// have: as many of them together as stay below 64^10 are one number, the first one worth most,
/// which is told by parts of 6 bits, the highest first. Precondition: each digit is below its size,
/// which is at least 1. Cost: linear.
std::vector<u64> pack_digits(std::span<const u64> digits, std::span<const u32> sizes);

/// How many parts digits of these sizes have.
u64 packed_parts(std::span<const u32> sizes);

/// The inverse. Error(corrupt) is thrown if the parts are those of no digits. Precondition: so many
/// parts as packed_parts() says.
std::vector<u64> unpack_digits(std::span<const u64> parts, std::span<const u32> sizes);

/// Participants beyond which grids are not tried.
inline constexpr std::size_t kMostPlaced = std::size_t{1} << 14U;

/// Grids of so many participants that displacements are looked for on: those of up to three
/// dimensions, then those that cutting gives.
std::vector<DigitGrid> all_grids_of(u32 participants);

/// From the place of a participant to others, as numbers that stand for steps in all dimensions.
class Displacements {
  public:
    /// With wraps, a step is the nearest one of those that lead to a place on a torus.
    Displacements(const DigitGrid& grid, bool wraps);

    [[nodiscard]] u64 between(u64 from, u64 to) const;
    /// By dimension.
    [[nodiscard]] std::vector<i64> steps(u64 code) const;
    /// What leads from a place to the one that is so far away.
    [[nodiscard]] PlaceFunction function(u64 code) const;

    [[nodiscard]] const DigitGrid& grid() const { return grid_; }
    [[nodiscard]] bool wraps() const { return wraps_; }
    [[nodiscard]] const std::vector<u32>& place(u64 participant) const {
        return places_[participant];
    }

  private:
    DigitGrid grid_;
    bool wraps_;
    std::vector<std::vector<u32>> places_;
};

/// The same number everywhere.
PlaceFunction constant_function(u64 number, std::size_t dimensions);

}  // namespace tracefold
