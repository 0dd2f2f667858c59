// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/cancel_point.hpp"
#include "core/types.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace tracefold {

/// The times of iterations that come again. They are read for many iterations at once, which is
/// faster; each such read calls cancel_point().
class RepeatedTimes {
  public:
    /// `groups`: the timing group of each record of an iteration; there is at least one.
    void begin(std::span<const u32> groups, u64 iterations) {
        records_ = groups.size();
        left_ = iterations;
        const u64 ahead = std::clamp<u64>(kTimesAhead / records_, 1, iterations);
        groups_.clear();
        for (u64 i = 0; i < ahead; ++i) groups_.insert(groups_.end(), groups.begin(), groups.end());
        times_.assign(groups_.size(), 0);
        at_ = times_.size();
    }

    /// The times of the next iteration, by record. read(groups, times) reads the times of the next
    /// records. Precondition: an iteration is left.
    template <class Read>
    const u64* next(const Read& read) {
        if (at_ == times_.size()) {
            at_ = 0;
            cancel_point();
            if (times_.size() / records_ > left_) times_.resize(left_ * records_);
            read(std::span<const u32>(groups_).first(times_.size()), times_.data());
        }
        const u64* const times = times_.data() + at_;
        at_ += records_;
        --left_;
        return times;
    }

  private:
    static constexpr std::size_t kTimesAhead = 1024;

    std::size_t records_ = 0;  ///< of an iteration
    u64 left_ = 0;             ///< iterations that were not asked for yet
    std::vector<u32> groups_;  ///< by record, of as many iterations as are read at once
    std::vector<u64> times_;   ///< of these
    std::size_t at_ = 0;       ///< the next iteration in them
};

}  // namespace tracefold
