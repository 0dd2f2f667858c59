// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <algorithm>
#include <optional>

namespace tracefold {

/// Count, sum, sum of squares and extremes of a set of numbers, as exact integers: merging is
/// associative and commutative, so the result is independent of the order of additions and the
/// shape of a reduction. Mean and deviation are derived on request. Memory: 64 bytes. Sums cannot
/// overflow: for fewer than 2^63 numbers below 2^64, the sum has less than 128 bits, the sum of
/// squares less than 192.
class Moments {
  public:
    void add(u64 value) {
        ++count_;
        sum_ += value;
        add_squares(static_cast<u128>(value) * value);
        min_ = std::min(min_, value);
        max_ = std::max(max_, value);
    }

    /// Adds a number `times` times. Throws Error(unsupported) at 2^63 numbers.
    void add(u64 value, u64 times);

    /// Merges another set. Throws Error(unsupported) at 2^63 numbers.
    void merge(const Moments& other);

    [[nodiscard]] u64 count() const { return count_; }
    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] u128 sum() const { return sum_; }
    /// True if the set contains kOverflow: only the count is known, and a minimum below kOverflow.
    [[nodiscard]] bool overflows() const { return max_ == kOverflow; }
    /// The sum; none beyond 64 bits.
    [[nodiscard]] std::optional<u64> total() const;
    /// The sum in floating point; NaN if overflows(), as are mean() and deviation().
    [[nodiscard]] double real_sum() const;
    /// These figures are 0 for an empty set.
    [[nodiscard]] u64 min() const { return empty() ? 0 : min_; }
    [[nodiscard]] u64 max() const { return max_; }
    [[nodiscard]] double mean() const;
    /// Population standard deviation (divides by the count). The difference of squares is computed
    /// in integers: no cancellation.
    [[nodiscard]] double deviation() const;

    /// At most 89 bytes, usually far less.
    static void each_field(auto& self, auto& visit) {
        visit(self.count_);
        if (self.empty()) return;
        visit(self.sum_, self.squares_low_, self.squares_high_, self.min_, self.max_);
    }

    bool operator==(const Moments&) const = default;

  private:
    void add_squares(u128 squares) {
        squares_low_ += squares;
        squares_high_ += squares_low_ < squares ? 1 : 0;
    }
    void count_more(u64 numbers);

    u128 sum_ = 0;
    u128 squares_low_ = 0;  ///< 192 bits
    u64 squares_high_ = 0;
    u64 count_ = 0;
    u64 min_ = ~u64{0};
    u64 max_ = 0;
};

}  // namespace tracefold
