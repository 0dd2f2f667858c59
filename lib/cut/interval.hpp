// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <vector>

namespace tracefold {

/// A stretch of a location's events: those from number `first` to before number `last` whose times
/// are from `from` to before `to`.
struct Interval {
    static constexpr u64 kEnd = ~u64{0};

    u64 first = 0;
    u64 last = kEnd;
    u64 from = 0;
    u64 to = kEnd;
    /// Times of what has to be added at its begin and its end.
    u64 open = 0;
    u64 close = kEnd;
};

/// Those of a location, one after another.
using Intervals = std::vector<Interval>;

/// Goes through the events of a location and knows which interval they are in.
class IntervalCursor {
  public:
    explicit IntervalCursor(const Intervals& intervals) : intervals_(intervals) {}

    /// For the next event: `entered` and `left` are called with the intervals that begin and end
    /// before it. True if it is in one.
    template <class Entered, class Left>
    bool next(u64 time, const Entered& entered, const Left& left) {
        const u64 number = number_++;
        while (at_ < intervals_.size()) {
            const Interval& interval = intervals_[at_];
            if (!within_) {
                if (number < interval.first || time < interval.from) return false;
                within_ = true;
                entered(interval);
            }
            if (number < interval.last && time < interval.to) return true;
            within_ = false;
            ++at_;
            left(interval);
        }
        return false;
    }

  private:
    const Intervals& intervals_;
    std::size_t at_ = 0;
    bool within_ = false;
    u64 number_ = 0;  ///< of the next event
};

}  // namespace tracefold
