// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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

}  // namespace tracefold
