// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <optional>
#include <span>
#include <vector>

namespace tracefold {

/// A grid of participants, the last dimension fastest: the rank order of MPI Cartesian topologies.
class RankGrid {
  public:
    /// Precondition: every size is at least 1, and at least 2 for fitting functions.
    explicit RankGrid(std::vector<u32> sizes);

    [[nodiscard]] const std::vector<u32>& sizes() const { return sizes_; }
    [[nodiscard]] std::size_t dimensions() const { return sizes_.size(); }
    [[nodiscard]] u64 participants() const { return participants_; }
    /// Returns the difference between neighbours in a dimension.
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

/// A grid whose positions are numbered digit by digit, the last digit fastest; digits of several
/// dimensions may alternate, as in a domain that is cut in one dimension after the other (recursive
/// bisection). A coordinate consists of the digits of its dimension. With one digit per dimension
/// it is a RankGrid.
class DigitGrid {
  public:
    struct Digit {
        u32 size = 0;  ///< at least 2
        u32 dimension = 0;

        bool operator==(const Digit&) const = default;
    };

    /// Precondition: each dimension from 0 to the largest has at least one digit.
    explicit DigitGrid(std::vector<Digit> digits);
    explicit DigitGrid(const RankGrid& grid);

    [[nodiscard]] const std::vector<Digit>& digits() const { return digits_; }
    [[nodiscard]] const std::vector<u32>& sizes() const { return sizes_; }
    [[nodiscard]] std::size_t dimensions() const { return sizes_.size(); }
    [[nodiscard]] u64 participants() const { return participants_; }
    [[nodiscard]] u32 coordinate(std::size_t dimension, u64 participant) const;
    /// Returns the contribution of a coordinate to the number of a position.
    [[nodiscard]] u64 weight(std::size_t dimension, u32 coordinate) const;

  private:
    std::vector<Digit> digits_;
    std::vector<u64> strides_;  ///< by digit
    std::vector<u32> sizes_;    ///< by dimension
    u64 participants_ = 1;
};

/// Returns the grids of repeated cutting, in two and three dimensions, except plain RankGrids:
/// those that always cut the largest remaining part by its smallest factor, and, where they differ,
/// those that cut the dimensions in turn.
std::vector<DigitGrid> cut_grids_of(u32 participants);

/// Returns all grids of up to three dimensions with this many positions and no dimension of size 1:
/// fewest dimensions first, then the most even. Cost: the divisors of the number, squared.
std::vector<RankGrid> grids_of(u32 participants);

/// A box in a grid: the coordinates from `begin` to below `end` in each dimension.
struct GridBox {
    std::vector<u32> begin;
    std::vector<u32> end;
};

/// A product of functions of one coordinate each: `base` times a factor for each dimension. It
/// describes areas and volumes of the boxes of a domain that is cut in each dimension, into equal
/// parts or not. Arithmetic is modulo 2^64.
struct RankProduct {
    u64 base = 0;
    /// By dimension, by coordinate; empty where the factor is always 1.
    std::vector<std::vector<u64>> factors;

    bool operator==(const RankProduct&) const = default;
};

/// Precondition: factors for every dimension.
u64 evaluate(const RankProduct& product, const DigitGrid& grid, u64 participant);

/// Fits a product to the participants of a box; nothing if there is none. Factors have no common
/// divisor, so equal edges have equal factors whatever the base; factors outside the box repeat the
/// nearest ones inside. Precondition: a value for every participant (ignored outside the box); the
/// box is not empty. Cost: the box.
std::optional<RankProduct> fit_product(const DigitGrid& grid, const GridBox& box,
                                       std::span<const u64> values);

}  // namespace tracefold
