// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/wide_integer.hpp"
#include "scaling/rational.hpp"

namespace tracefold::inline scaling {

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

}  // namespace tracefold::inline scaling
