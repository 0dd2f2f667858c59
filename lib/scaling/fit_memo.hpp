// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/hash.hpp"
#include "scaling/fit.hpp"

#include <unordered_map>

namespace tracefold::inline scaling {

/// Fits by the observations that they explain, or cannot explain. An extrapolation tries many
/// arrangements and ways to tell ranks apart, and most numbers of a trace are the same in many of
/// them. Memory: the different ones.
class FitMemo {
  public:
    /// The fit of these observations at these targets; `make` looks for it the first time.
    template <class Make>
    const Fit& fit(const ContentHash& observations, const Make& make) {
        const auto found = fits_.find(observations);
        if (found != fits_.end()) return found->second;
        return fits_.emplace(observations, make()).first->second;
    }

  private:
    std::unordered_map<ContentHash, Fit, ContentHashHasher> fits_;
};

}  // namespace tracefold::inline scaling
