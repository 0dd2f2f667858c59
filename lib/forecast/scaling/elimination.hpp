// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <array>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

/// An exact fraction of 64-bit integers. Overflow yields NaN, which propagates.
class Rational {
  public:
    constexpr Rational() = default;
    constexpr Rational(i64 whole) : numerator_(whole) {}
    constexpr Rational(i64 numerator, i64 denominator) { reduce(numerator, denominator); }
    static constexpr Rational none() { return {1, 0}; }

    [[nodiscard]] constexpr bool is_number() const { return denominator_ != 0; }
    [[nodiscard]] constexpr bool is_zero() const { return numerator_ == 0 && is_number(); }
    [[nodiscard]] constexpr i64 numerator() const { return numerator_; }
    [[nodiscard]] constexpr i64 denominator() const { return denominator_; }
    [[nodiscard]] constexpr std::optional<i64> whole() const {
        return denominator_ == 1 ? std::optional<i64>(numerator_) : std::nullopt;
    }

    constexpr Rational operator+(const Rational& b) const {
        return reduced(wide(numerator_) * b.denominator_ + wide(b.numerator_) * denominator_,
                       wide(denominator_) * b.denominator_);
    }
    constexpr Rational operator-(const Rational& b) const {
        return reduced(wide(numerator_) * b.denominator_ - wide(b.numerator_) * denominator_,
                       wide(denominator_) * b.denominator_);
    }
    constexpr Rational operator*(const Rational& b) const {
        return reduced(wide(numerator_) * b.numerator_, wide(denominator_) * b.denominator_);
    }
    /// NaN if `b` is zero.
    constexpr Rational operator/(const Rational& b) const {
        return reduced(wide(numerator_) * b.denominator_, wide(denominator_) * b.numerator_);
    }
    /// NaN equals nothing.
    constexpr bool operator==(const Rational& b) const {
        return is_number() && numerator_ == b.numerator_ && denominator_ == b.denominator_;
    }

  private:
    __extension__ using Wide = __int128;

    static constexpr Wide wide(i64 value) { return value; }
    static constexpr Rational reduced(Wide numerator, Wide denominator) {
        Rational made;
        made.reduce(numerator, denominator);
        return made;
    }

    constexpr void reduce(Wide numerator, Wide denominator) {
        denominator_ = 0;
        if (denominator == 0) return;
        Wide a = numerator < 0 ? -numerator : numerator;
        Wide b = denominator < 0 ? -denominator : denominator;
        while (b != 0) {
            const Wide rest = a % b;
            a = b;
            b = rest;
        }
        if (denominator < 0) a = -a;
        numerator /= a;
        denominator /= a;
        constexpr Wide kMost = (Wide{1} << 63U) - 1;
        if (numerator > kMost || numerator < -kMost - 1 || denominator > kMost) return;
        numerator_ = static_cast<i64>(numerator);
        denominator_ = static_cast<i64>(denominator);
    }

    i64 numerator_ = 0;
    i64 denominator_ = 1;  ///< positive; 0: NaN
};

/// Fractions modulo the prime 2^61 - 1, a fast filter: inequality there proves inequality.
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

    /// Modulo 2^61 - 1, the upper 61 bits of a product are added to the lower ones.
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

/// Decides which of many columns can complete a few given columns to a linear combination that
/// equals certain numbers, without solving for coefficients: fraction-free Gaussian elimination of
/// the few columns modulo a prime. All columns have one row per number.
class Elimination {
  public:
    explicit Elimination(std::vector<Residue> numbers) : rest_(std::move(numbers)) { find_row(); }

    static constexpr std::size_t kMostColumns = 4;

    /// Eliminates a column; at most kMostColumns. Cost: rows x columns.
    void add(std::span<const Residue> column);

    /// False if the numbers are no linear combination of the columns and this one, with this one
    /// needed. True is inconclusive. Cost: columns per row, up to the first contradiction.
    [[nodiscard]] bool may_be_completed_by(std::span<const Residue> column) const;

  private:
    using Pivots = std::array<Residue, kMostColumns>;  ///< by stage

    struct Stage {
        std::size_t pivot = 0;
        std::vector<Residue> column;  ///< remainder after the earlier stages
    };

    /// The remainder of a column's row after the first stages, given those of the pivot rows.
    [[nodiscard]] Residue reduced(std::span<const Residue> column, std::size_t row,
                                  const Pivots& pivots, std::size_t stages) const;
    [[nodiscard]] Pivots pivots_of(std::span<const Residue> column) const;
    void find_row();

    std::vector<Residue> rest_;  ///< remainder of the numbers
    std::vector<Stage> stages_;
    std::optional<std::size_t> row_;  ///< with a nonzero remainder
    bool is_torn_ = false;            ///< the columns are linearly dependent in these rows
};

}  // namespace tracefold
