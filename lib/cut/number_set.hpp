// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <iterator>
#include <map>

namespace tracefold {

/// A set of numbers that come mostly in rows. Memory: the rows.
class NumberSet {
  public:
    void add(u64 number) {
        auto after = rows_.upper_bound(number);
        if (after != rows_.begin()) {
            const auto before = std::prev(after);
            if (number < before->second) return;
            if (number == before->second) {
                ++before->second;
                if (after != rows_.end() && after->first == before->second) {
                    before->second = after->second;
                    rows_.erase(after);
                }
                return;
            }
        }
        if (after != rows_.end() && after->first == number + 1) {
            const u64 end = after->second;
            rows_.erase(after);
            rows_.emplace(number, end);
        } else {
            rows_.emplace(number, number + 1);
        }
    }

    [[nodiscard]] bool contains(u64 number) const {
        const auto after = rows_.upper_bound(number);
        return after != rows_.begin() && number < std::prev(after)->second;
    }

  private:
    std::map<u64, u64> rows_;  ///< first number to the one after the last
};

}  // namespace tracefold
