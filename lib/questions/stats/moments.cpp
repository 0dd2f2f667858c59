// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/stats/moments.hpp"

#include "base/error.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace tracefold {

namespace {

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();
constexpr u64 kMostNumbers = (u64{1} << 63U) - 1;

/// 256-bit number, lowest limb first.
using Limbs = std::array<u64, 4>;

u64 low_half(u128 number) { return static_cast<u64>(number); }
u64 high_half(u128 number) { return static_cast<u64>(number >> 64U); }

/// 192 bit x 64 bit.
Limbs product(const std::array<u64, 3>& a, u64 b) {
    Limbs result{};
    u64 carry = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const u128 part = static_cast<u128>(a[i]) * b + carry;
        result[i] = low_half(part);
        carry = high_half(part);
    }
    result[3] = carry;
    return result;
}

Limbs square(u128 number) {
    const std::array<u64, 3> limbs = {low_half(number), high_half(number), 0};
    Limbs result = product(limbs, limbs[0]);
    const Limbs upper = product(limbs, limbs[1]);
    u64 carry = 0;
    for (std::size_t i = 1; i < result.size(); ++i) {
        const u128 part = static_cast<u128>(result[i]) + upper[i - 1] + carry;
        result[i] = low_half(part);
        carry = high_half(part);
    }
    return result;
}

/// Precondition: a >= b.
Limbs difference(const Limbs& a, const Limbs& b) {
    Limbs result{};
    u64 borrow = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const u128 part = static_cast<u128>(a[i]) - b[i] - borrow;
        result[i] = low_half(part);
        borrow = high_half(part) != 0 ? 1 : 0;
    }
    return result;
}

/// Scaling by powers of two is exact: all machines round identically.
double to_double(const Limbs& number) {
    double result = 0;
    for (int i = 3; i >= 0; --i) {
        result += std::ldexp(static_cast<double>(number[static_cast<std::size_t>(i)]), 64 * i);
    }
    return result;
}

}  // namespace

void Moments::count_more(u64 numbers) {
    if (numbers > kMostNumbers - count_) {
        throw Error(ErrorKind::unsupported, "statistics are of fewer than 2^63 numbers");
    }
    count_ += numbers;
}

void Moments::add(u64 value, u64 times) {
    if (times == 0) return;
    count_more(times);
    sum_ += static_cast<u128>(value) * times;
    const u128 squared = static_cast<u128>(value) * value;
    const Limbs squares = product({low_half(squared), high_half(squared), 0}, times);
    add_squares(static_cast<u128>(squares[1]) << 64U | squares[0]);
    squares_high_ += squares[2];
    min_ = std::min(min_, value);
    max_ = std::max(max_, value);
}

void Moments::merge(const Moments& other) {
    count_more(other.count_);
    sum_ += other.sum_;
    add_squares(other.squares_low_);
    squares_high_ += other.squares_high_;
    min_ = std::min(min_, other.min_);
    max_ = std::max(max_, other.max_);
}

std::optional<u64> Moments::total() const {
    if (overflows() || high_half(sum_) != 0) return std::nullopt;
    return low_half(sum_);
}

double Moments::real_sum() const { return overflows() ? kNotKnown : static_cast<double>(sum_); }

double Moments::mean() const {
    if (overflows()) return kNotKnown;
    return empty() ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
}

double Moments::deviation() const {
    if (overflows()) return kNotKnown;
    if (empty()) return 0;
    const Limbs spread = difference(
        product({low_half(squares_low_), high_half(squares_low_), squares_high_}, count_),
        square(sum_));
    return std::sqrt(to_double(spread)) / static_cast<double>(count_);
}

}  // namespace tracefold
