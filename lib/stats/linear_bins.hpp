// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"
#include "core/wide_integer.hpp"

#include <algorithm>

namespace tracefold {

/// Cuts the numbers from a smallest to a largest one, both included, into bins of equal width, in
/// integers: the same number is in the same bin on every machine.
class LinearBins {
  public:
    LinearBins() = default;
    /// At most `most` bins; fewer if there are fewer numbers. Preconditions: min <= max, most > 0.
    LinearBins(u64 min, u64 max, u32 most)
        : min_(min),
          max_(max),
          range_(static_cast<u128>(max - min) + 1),
          count_(static_cast<u32>(std::min<u128>(range_, most))) {}

    [[nodiscard]] u32 count() const { return count_; }
    [[nodiscard]] u64 min() const { return min_; }
    [[nodiscard]] u64 max() const { return max_; }

    /// Precondition: min() <= value <= max().
    [[nodiscard]] u32 of(u64 value) const {
        return static_cast<u32>(static_cast<u128>(value - min_) * count_ / range_);
    }
    /// The smallest and the largest number of a bin.
    [[nodiscard]] u64 first(u32 bin) const {
        return min_ + static_cast<u64>((range_ * bin + count_ - 1) / count_);
    }
    [[nodiscard]] u64 last(u32 bin) const { return bin + 1 == count_ ? max_ : first(bin + 1) - 1; }

    bool operator==(const LinearBins&) const = default;

  private:
    u64 min_ = 0;
    u64 max_ = 0;
    u128 range_ = 0;
    u32 count_ = 0;
};

}  // namespace tracefold
