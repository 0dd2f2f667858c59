// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <optional>
#include <span>
#include <vector>

namespace tracefold {

/// Participants 0, 1, ... as the places of a grid, the last dimension fastest: as MPI numbers the
/// ranks of a Cartesian topology.
class RankGrid {
  public:
    /// Precondition: every size is at least 1; functions are looked for where it is at least 2.
    explicit RankGrid(std::vector<u32> sizes);

    [[nodiscard]] const std::vector<u32>& sizes() const { return sizes_; }
    [[nodiscard]] std::size_t dimensions() const { return sizes_.size(); }
    [[nodiscard]] u64 participants() const { return participants_; }
    /// From one place to the next one in a dimension.
    [[nodiscard]] u64 stride(std::size_t dimension) const { return strides_[dimension]; }
    [[nodiscard]] u64 coordinate(std::size_t dimension, u64 participant) const {
        return participant / strides_[dimension] % sizes_[dimension];
    }

    bool operator==(const RankGrid& other) const { return sizes_ == other.sizes_; }

  private:
    std::vector<u32> sizes_;
    std::vector<u64> strides_;
    u64 participants_ = 1;
};

/// Places of a grid numbered digit by digit, the last one fastest, where the digits of several
/// dimensions may alternate: as a domain is numbered that is cut in one dimension after the other
/// (recursive bisection). A coordinate consists of the digits of its dimension. With one digit per
/// dimension it is a RankGrid.
class DigitGrid {
  public:
    struct Digit {
        u32 size = 0;  ///< at least 2
        u32 dimension = 0;

        bool operator==(const Digit&) const = default;
    };

    /// Precondition: dimensions 0 to the largest one have a digit each at least.
    explicit DigitGrid(std::vector<Digit> digits);
    explicit DigitGrid(const RankGrid& grid);

    [[nodiscard]] const std::vector<Digit>& digits() const { return digits_; }
    [[nodiscard]] const std::vector<u32>& sizes() const { return sizes_; }
    [[nodiscard]] std::size_t dimensions() const { return sizes_.size(); }
    [[nodiscard]] u64 participants() const { return participants_; }
    [[nodiscard]] u32 coordinate(std::size_t dimension, u64 participant) const;
    /// What a coordinate contributes to the number of a place.
    [[nodiscard]] u64 weight(std::size_t dimension, u32 coordinate) const;

  private:
    std::vector<Digit> digits_;
    std::vector<u64> strides_;  ///< by digit
    std::vector<u32> sizes_;    ///< by dimension
    u64 participants_ = 1;
};

/// The grids that cutting gives: the largest part that is left is cut next by its smallest factor,
/// for all grids of two and three dimensions; and where it is another one, in turn.
std::vector<DigitGrid> cut_grids_of(u32 participants);

/// The grids of up to three dimensions, none of them of size 1, that have so many places: with few
/// dimensions first, of these the most even first. Cost: the divisors of the number, squared.
std::vector<RankGrid> grids_of(u32 participants);

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
