// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <algorithm>
#include <optional>

namespace tracefold {

/// Count, sum, sum of squares and extremes of a set of numbers, all of them exact integers: merging
/// is associative and commutative to the last bit, so that no order of additions and no shape of a
/// reduction shows in the result. Mean and deviation are worked out of them when asked for. Memory:
/// 64 bytes. Sums cannot wrap around: of fewer than 2^63 numbers below 2^64 the sum has less than
/// 128 bits, that of the squares less than 192.
class Moments {
  public:
    void add(u64 value) {
        ++count_;
        sum_ += value;
        add_squares(static_cast<u128>(value) * value);
        min_ = std::min(min_, value);
        max_ = std::max(max_, value);
    }

    /// The same number `times` times. Throws Error(unsupported) at 2^63 numbers.
    void add(u64 value, u64 times);

    /// Throws as add().
    void merge(const Moments& other);

    [[nodiscard]] u64 count() const { return count_; }
    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] u128 sum() const { return sum_; }
    /// True if a number of the set is kOverflow: nothing but the count, and the minimum unless it
    /// is kOverflow itself, is known then.
    [[nodiscard]] bool overflows() const { return max_ == kOverflow; }
    /// The sum; nothing beyond 64 bits.
    [[nodiscard]] std::optional<u64> total() const;
    /// The sum as a number of floating point; not a number if the set overflows(), as are mean()
    /// and deviation() then.
    [[nodiscard]] double real_sum() const;
    /// 0 of an empty set, as all that follow.
    [[nodiscard]] u64 min() const { return empty() ? 0 : min_; }
    [[nodiscard]] u64 max() const { return max_; }
    [[nodiscard]] double mean() const;
    /// Standard deviation of all numbers of the set (divided by their count, not by one less). The
    /// difference of squares is taken in integers, so that nothing cancels out.
    [[nodiscard]] double deviation() const;

    /// At most 89 bytes, most sets take far less.
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
