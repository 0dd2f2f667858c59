// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/wide_integer.hpp"
#include "scaling/rational.hpp"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

/// Fractions modulo the prime 2^61 - 1: what is not equal there is not equal, at the cost of a few
/// instructions.
class Residue {
  public:
    static constexpr u64 kPrime = (u64{1} << 61U) - 1;

    constexpr Residue() = default;
    explicit constexpr Residue(const Rational& value)
        : value_(multiply(signed_residue(value.numerator()),
                          inverse(static_cast<u64>(value.denominator()) % kPrime))) {}

    [[nodiscard]] constexpr bool is_zero() const { return value_ == 0; }
    constexpr Residue operator*(Residue b) const { return Residue(multiply(value_, b.value_)); }
    constexpr Residue operator-(Residue b) const {
        return Residue(value_ >= b.value_ ? value_ - b.value_ : value_ + kPrime - b.value_);
    }
    constexpr Residue operator+(Residue b) const {
        const u64 sum = value_ + b.value_;
        return Residue(sum >= kPrime ? sum - kPrime : sum);
    }

  private:
    explicit constexpr Residue(u64 value) : value_(value) {}

    /// Modulo 2^61 - 1 the upper 61 bits of a product count as much as the lower ones.
    static constexpr u64 multiply(u64 a, u64 b) {
        const u128 product = u128{a} * b;
        const u64 sum = static_cast<u64>(product >> 61U) + (static_cast<u64>(product) & kPrime);
        return sum >= kPrime ? sum - kPrime : sum;
    }
    static constexpr u64 signed_residue(i64 value) {
        const i64 rest = value % static_cast<i64>(kPrime);
        return static_cast<u64>(rest < 0 ? rest + static_cast<i64>(kPrime) : rest);
    }
    /// By Fermat's little theorem.
    static constexpr u64 inverse(u64 value) {
        if (value == 1) return 1;
        u64 result = 1;
        for (u64 exponent = kPrime - 2; exponent != 0; exponent /= 2) {
            if (exponent % 2 != 0) result = multiply(result, value);
            value = multiply(value, value);
        }
        return result;
    }

    u64 value_ = 0;
};

/// Tells of many columns which of them may complete a few others to a sum that gives certain
/// numbers, without solving for the multiples each time: Gaussian elimination of the few columns
/// without fractions, modulo a prime. All columns have as many rows as there are numbers.
class Elimination {
  public:
    explicit Elimination(std::vector<Residue> numbers) : rest_(std::move(numbers)) { find_row(); }

    static constexpr std::size_t kMostColumns = 4;

    /// Eliminates a column, at most kMostColumns of them. Cost: rows times columns.
    void add(std::span<const Residue> column);

    /// False if no multiples of the columns and of this one add up to the numbers, this one being
    /// needed. True means that they may. Cost: columns for each row up to the first that says no.
    [[nodiscard]] bool may_be_completed_by(std::span<const Residue> column) const;

  private:
    using Pivots = std::array<Residue, kMostColumns>;  ///< by stage

    struct Stage {
        std::size_t pivot = 0;
        std::vector<Residue> column;  ///< what earlier stages left of it
    };

    /// What the first stages leave of a row of a column, given what is left of their pivot rows.
    [[nodiscard]] Residue reduced(std::span<const Residue> column, std::size_t row,
                                  const Pivots& pivots, std::size_t stages) const;
    [[nodiscard]] Pivots pivots_of(std::span<const Residue> column) const;
    void find_row();

    std::vector<Residue> rest_;  ///< of the numbers
    std::vector<Stage> stages_;
    std::optional<std::size_t> row_;  ///< where the rest is not zero
    bool is_torn_ = false;            ///< a column depends on others in these rows
};

}  // namespace tracefold
