// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <numeric>
#include <optional>

namespace tracefold {

/// An exact fraction of 64-bit numbers. A result that does not fit is not a number, and so is what
/// is made of it: a formula that needs it is no answer.
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
    /// Not a number if `b` is zero.
    constexpr Rational operator/(const Rational& b) const {
        return reduced(wide(numerator_) * b.denominator_, wide(denominator_) * b.numerator_);
    }
    /// Nothing equals what is not a number.
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
    i64 denominator_ = 1;  ///< positive; 0: not a number
};

}  // namespace tracefold
