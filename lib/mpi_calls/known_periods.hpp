// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tracefold {

/// After how many records the loops of a program repeated. Ranks run the same program, so that what
/// one location shows makes the next one's search short; the result does not depend on it.
class KnownPeriods {
  public:
    void worked(std::size_t period) {
        failed(period);
        if (periods_.size() == kMost) periods_.erase(periods_.begin());
        periods_.push_back(period);
    }
    void failed(std::size_t period) { std::erase(periods_, period); }

    /// The largest one that `fits`; 0 if there is none.
    template <class Fits>
    [[nodiscard]] std::size_t largest(const Fits& fits) const {
        std::size_t best = 0;
        for (const std::size_t period : periods_) {
            if (period > best && fits(period)) best = period;
        }
        return best;
    }

  private:
    static constexpr std::size_t kMost = 8;

    std::vector<std::size_t> periods_;  ///< the one that worked last stands last
};

}  // namespace tracefold
