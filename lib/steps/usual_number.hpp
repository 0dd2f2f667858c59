// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <algorithm>
#include <vector>

namespace tracefold {

/// The median of what steps have, such as messages, and whether a step has about as much.
class UsualNumber {
  public:
    /// Precondition: not empty. Cost: linear.
    explicit UsualNumber(std::vector<u64> numbers) {
        const auto middle =
            numbers.begin() + static_cast<std::vector<u64>::difference_type>(numbers.size() / 2);
        std::nth_element(numbers.begin(), middle, numbers.end());
        median_ = *middle;
    }

    [[nodiscard]] u64 median() const { return median_; }
    [[nodiscard]] bool is_more_than_twice(u64 own) const { return own * 2 < median_; }
    /// From half of it to twice as much.
    [[nodiscard]] bool is_about(u64 own) const {
        return !is_more_than_twice(own) && own <= median_ * 2;
    }

  private:
    u64 median_ = 0;
};

}  // namespace tracefold
