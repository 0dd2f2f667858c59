// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <random>
#include <vector>

namespace tracefold {

/// Seeded, so that a failure can be repeated: the same numbers on every machine.
class RandomSource {
  public:
    explicit RandomSource(u64 seed) : engine_(seed) {}

    u64 any() { return engine_(); }
    /// 0 .. bound-1. Precondition: bound is not 0.
    u64 below(u64 bound) { return engine_() % bound; }
    /// low .. high.
    u64 between(u64 low, u64 high) { return low + below(high - low + 1); }
    bool one_in(u64 chances) { return below(chances) == 0; }

    template <class T>
    const T& pick(const std::vector<T>& values) {
        return values[below(values.size())];
    }

    /// Small numbers, numbers of any length, and the borders of both.
    u64 value() {
        static const std::vector<u64> borders{
            0, 1, ~u64{0}, u64{1} << 63U, (u64{1} << 63U) - 1, 0xFFFFFFFFU, u64{1} << 32U};
        switch (below(4)) {
            case 0:
                return pick(borders);
            case 1:
                return any() >> below(64);
            default:
                return below(10);
        }
    }

  private:
    std::mt19937_64 engine_;
};

}  // namespace tracefold
