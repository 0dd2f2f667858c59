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

/// A function of the grid position as stored in a file, see FunctionTable.
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

/// By factor: numbers over the coordinates of a dimension.
using Factors = std::vector<std::vector<u64>>;

/// Evaluates a function at these coordinates, before any lookup: the base plus all terms, or the
/// base times the factors if there are any. Sets `inside` to false if it leaves the grid.
/// Precondition: a term for every dimension, offsets and coefficients below its size; factors have
/// a number for each coordinate.
u64 evaluate(const PlaceFunction& function, const DigitGrid& grid, const Factors& factors,
             std::span<const u32> place, bool& inside);

/// Returns the coordinates of a participant.
std::vector<u32> place_of(const DigitGrid& grid, u64 participant);

/// A FunctionTable with numbers instead of columns.
struct FunctionDraft {
    DigitGrid grid;
    std::vector<PlaceFunction> functions;
    std::vector<std::vector<u64>> lookups;
    bool periodic = false;
    std::vector<u64> function_of;             ///< by number
    std::vector<u64> presence;                ///< by number; empty: present for all
    std::vector<u64> group_of;                ///< by participant; empty: one group
    std::vector<std::vector<u64>> presences;  ///< by group
    Factors factors{};
    std::vector<u64> order{};    ///< by number; empty: sequence order
    std::vector<u64> choices{};  ///< parts of packed digits
    bool follows = false;
};

/// Stores the numbers as columns.
FunctionTable table_of(StructurePool& pool, const FunctionDraft& draft);

/// Packs unpredictable digits, such as those of random orders, in about their entropy: as many
/// digits as stay below 64^10 form one number, the first one most significant, which is stored as
/// 6-bit parts, highest first. Precondition: each digit is below its size, which is at least 1.
/// Cost: linear.
std::vector<u64> pack_digits(std::span<const u64> digits, std::span<const u32> sizes);

/// Returns the number of parts for digits of these sizes.
u64 packed_parts(std::span<const u32> sizes);

/// The inverse of pack_digits(), for packed_parts() parts. Throws Error(corrupt).
std::vector<u64> unpack_digits(std::span<const u64> parts, std::span<const u32> sizes);

/// Maximum number of participants for which grids are tried.
inline constexpr std::size_t kMostPlaced = std::size_t{1} << 14U;

/// The grids for displacements: those of up to three dimensions, then those of repeated cutting.
std::vector<DigitGrid> all_grids_of(u32 participants);

/// Displacements between grid positions, encoded as numbers.
class Displacements {
  public:
    /// With wraps, a step is the shortest one on a torus.
    Displacements(const DigitGrid& grid, bool wraps);

    [[nodiscard]] u64 between(u64 from, u64 to) const;
    /// Returns the steps by dimension.
    [[nodiscard]] std::vector<i64> steps(u64 code) const;
    /// Returns the function that maps a position to the displaced one.
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

PlaceFunction constant_function(u64 number, std::size_t dimensions);

}  // namespace tracefold
