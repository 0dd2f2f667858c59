// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <span>
#include <vector>

namespace tracefold {

/// Returns the actual step of a clock: many timers are coarser than their rate (a 2.6 GHz counter
/// that advances by 26). It is the most frequent common divisor of successive differences if nearly
/// all differences are multiples of it, else 1. Uses a bounded sample.
u64 clock_granularity(std::span<const u64> ticks);

/// The precision of TimingLevel::quantized: a relative error, but at least a clock step.
struct DeltaPrecision {
    static constexpr u32 kMinError = 100;      ///< parts per million
    static constexpr u32 kMaxError = 500'000;  ///< parts per million

    u32 error_ppm = 10'000;
    u64 clock_step = 1;  ///< ticks, at least 1

    /// Maximum deviation of the stored difference from `ticks`.
    [[nodiscard]] u64 tolerance(u64 ticks) const;
};

/// The representable differences: 0, one step, two steps, ... and from 1 / error steps on with
/// growing distance, so every number up to 2^62 has one within its tolerance on either side.
/// Integer arithmetic only. About 44 / error members.
class DeltaGrid {
  public:
    /// Precondition: the error is between its bounds, the step between 1 and 2^32.
    explicit DeltaGrid(DeltaPrecision precision);

    [[nodiscard]] std::size_t size() const { return values_.size(); }
    [[nodiscard]] u64 operator[](std::size_t index) const { return values_[index]; }

    /// Index of the value nearest to `wanted` among those within the tolerance of `ticks`.
    [[nodiscard]] std::size_t index_of(u64 ticks, u64 wanted) const;

  private:
    DeltaPrecision precision_;
    std::vector<u64> values_;
};

}  // namespace tracefold
