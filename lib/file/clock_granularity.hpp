// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <span>
#include <vector>

namespace tracefold {

/// The step in which a clock really moves: timers seldom have the resolution that they claim (a
/// 2.6 GHz counter that moves by 26). It is the most frequent common divisor of neighbouring
/// differences if nearly all differences are multiples of it, else 1. Looks at a bounded sample.
u64 clock_granularity(std::span<const u64> ticks);

/// How exact the differences of TimingLevel::quantized are: to within a relative error, or a step
/// of the clock where that is more.
struct DeltaPrecision {
    static constexpr u32 kMinError = 100;      ///< parts per million
    static constexpr u32 kMaxError = 500'000;  ///< parts per million

    u32 error_ppm = 10'000;
    u64 clock_step = 1;  ///< ticks, at least 1

    /// How far the kept difference may be from `ticks`.
    [[nodiscard]] u64 tolerance(u64 ticks) const;
};

/// The differences that are kept: 0, one step, two steps, ... and from 1 / error steps on farther
/// and farther apart, so that every number up to 2^62 has one within its tolerance on either side.
/// Integer arithmetic only. About 44 / error members.
class DeltaGrid {
  public:
    /// Precondition: the error is between its bounds, the step between 1 and 2^32.
    explicit DeltaGrid(DeltaPrecision precision);

    [[nodiscard]] std::size_t size() const { return values_.size(); }
    [[nodiscard]] u64 operator[](std::size_t index) const { return values_[index]; }

    /// The index whose value is nearest to `wanted` among those that may stand for `ticks`.
    [[nodiscard]] std::size_t index_of(u64 ticks, u64 wanted) const;

  private:
    DeltaPrecision precision_;
    std::vector<u64> values_;
};

}  // namespace tracefold
