// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace tracefold {

/// The union of intervals of time: overlaps count once. Memory: the disjoint intervals, at most
/// doubled.
class BusyTime {
  public:
    void add(u64 begin, u64 end) {
        if (end <= begin) return;
        if (!spans_.empty() && spans_.back().first <= begin && begin <= spans_.back().second) {
            spans_.back().second = std::max(spans_.back().second, end);
            return;
        }
        spans_.emplace_back(begin, end);
        if (spans_.size() > merge_at_) merge();
    }
    void add(const BusyTime& other) {
        for (const auto& [begin, end] : other.spans_) add(begin, end);
    }

    /// Length of the union. Cost: sorts the intervals.
    [[nodiscard]] u64 ticks() const {
        BusyTime all = *this;
        all.merge();
        u64 sum = 0;
        for (const auto& [begin, end] : all.spans_) sum += end - begin;
        return sum;
    }

  private:
    void merge() {
        std::vector<std::pair<u64, u64>> spans = std::move(spans_);
        std::ranges::sort(spans);
        spans_.clear();
        merge_at_ = ~std::size_t{0};
        for (const auto& [begin, end] : spans) add(begin, end);
        merge_at_ = std::max(kFew, 2 * spans_.size());
    }

    static constexpr std::size_t kFew = 1024;

    std::vector<std::pair<u64, u64>> spans_;
    std::size_t merge_at_ = kFew;
};

}  // namespace tracefold
