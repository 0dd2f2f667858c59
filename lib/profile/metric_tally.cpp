// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/metric_tally.hpp"

#include "core/csv_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tracefold {

namespace {

std::string digits_of(u128 number) {
    std::string digits;
    do {
        digits += static_cast<char>('0' + static_cast<int>(number % 10));
        number /= 10;
    } while (number != 0);
    std::reverse(digits.begin(), digits.end());
    return digits;
}

constexpr bool is_negative(u128 number) { return (number >> 127U) != 0; }

}  // namespace

MetricTally::Kind MetricTally::kind_of(ValueType type) {
    if (is_real(type)) return Kind::real;
    return is_signed(type) ? Kind::with_sign : Kind::whole;
}

void MetricTally::add(ValueType type, u64 bits) {
    if (is_real(type)) bits = std::bit_cast<u64>(real_value(type, bits));
    MetricTally one;
    one.kind_ = kind_of(type);
    one.count_ = 1;
    one.min_ = one.max_ = bits;
    if (one.kind_ == Kind::real) {
        one.real_ = std::bit_cast<double>(bits);
    } else {
        one.whole_ = bits;
        const bool extend = one.kind_ == Kind::with_sign && (bits >> 63U) != 0;
        if (extend) one.whole_ |= ~u128{0} << 64U;
    }
    merge(one);
}

void MetricTally::merge(const MetricTally& other) {
    if (other.count_ == 0) return;
    if (count_ == 0) {
        *this = other;
        return;
    }
    count_ += other.count_;
    whole_ += other.whole_;
    add_real(other.real_);
    rounded_ += other.rounded_;
    if (less(other.min_, min_)) min_ = other.min_;
    if (less(max_, other.max_)) max_ = other.max_;
}

void MetricTally::add_real(double value) {
    const double sum = real_ + value;
    rounded_ += std::abs(real_) >= std::abs(value) ? (real_ - sum) + value : (value - sum) + real_;
    real_ = sum;
}

double MetricTally::sum() const {
    if (kind_ == Kind::real) return real_ + rounded_;
    if (kind_ == Kind::with_sign && is_negative(whole_)) return -static_cast<double>(~whole_ + 1);
    return static_cast<double>(whole_);
}

std::string MetricTally::sum_text() const {
    if (kind_ == Kind::real) return csv_number(sum());
    if (kind_ == Kind::with_sign && is_negative(whole_)) return "-" + digits_of(~whole_ + 1);
    return digits_of(whole_);
}

std::string MetricTally::min_text() const { return text(min_); }
std::string MetricTally::max_text() const { return text(max_); }

bool MetricTally::less(u64 a, u64 b) const {
    switch (kind_) {
        case Kind::real:
            return std::bit_cast<double>(a) < std::bit_cast<double>(b);
        case Kind::with_sign:
            return static_cast<i64>(a) < static_cast<i64>(b);
        default:
            return a < b;
    }
}

double MetricTally::number(u64 bits) const {
    switch (kind_) {
        case Kind::real:
            return std::bit_cast<double>(bits);
        case Kind::with_sign:
            return static_cast<double>(static_cast<i64>(bits));
        default:
            return static_cast<double>(bits);
    }
}

std::string MetricTally::text(u64 bits) const {
    if (kind_ == Kind::real) return csv_number(std::bit_cast<double>(bits));
    if (kind_ == Kind::with_sign) return std::to_string(static_cast<i64>(bits));
    return std::to_string(bits);
}

}  // namespace tracefold
