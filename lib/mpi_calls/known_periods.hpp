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
        const auto known = find(period);
        Known now{period, 1};
        if (known != periods_.end()) {
            now.trust = std::min(known->trust + 1, kMostTrust);
            periods_.erase(known);
        }
        if (periods_.size() == kMost) periods_.erase(periods_.begin());
        periods_.push_back(now);
    }
    /// Forgets it if it fails as often as it worked.
    void failed(std::size_t period) {
        const auto known = find(period);
        if (known != periods_.end() && --known->trust == 0) periods_.erase(known);
    }

    /// The largest one that `fits`; 0 if there is none.
    template <class Fits>
    [[nodiscard]] std::size_t largest(const Fits& fits) const {
        std::size_t best = 0;
        for (const Known& known : periods_) {
            if (known.period > best && fits(known.period)) best = known.period;
        }
        return best;
    }

  private:
    struct Known {
        std::size_t period;
        int trust;
    };

    static constexpr std::size_t kMost = 8;
    static constexpr int kMostTrust = 4;

    std::vector<Known>::iterator find(std::size_t period) {
        return std::find_if(periods_.begin(), periods_.end(),
                            [=](const Known& known) { return known.period == period; });
    }

    std::vector<Known> periods_;  ///< the one that worked last stands last
};

}  // namespace tracefold
