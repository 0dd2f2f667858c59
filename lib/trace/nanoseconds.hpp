// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/definition_index.hpp"

namespace tracefold {

/// From one moment to another; 0 where a clock ran backwards.
constexpr u64 elapsed(u64 from, u64 to) { return to > from ? to - from : 0; }

inline constexpr u64 kNanosecondsPerSecond = 1'000'000'000;

/// Nanoseconds of a trace's ticks. Those of moments count from `origin` on.
class Nanoseconds {
  public:
    explicit Nanoseconds(const DefinitionIndex& definitions, u64 origin = 0)
        : rate_(definitions.timer_resolution() == 0 ? kNanosecondsPerSecond
                                                    : definitions.timer_resolution()),
          origin_(origin) {}

    /// Moments before the origin are 0.
    [[nodiscard]] u64 at(u64 ticks) const { return ticks < origin_ ? 0 : of(ticks - origin_); }
    /// Rounded down.
    [[nodiscard]] u64 of(u64 ticks) const {
        if (rate_ == kNanosecondsPerSecond) return ticks;
        return static_cast<u64>(static_cast<Wide>(ticks) * kNanosecondsPerSecond / rate_);
    }

  private:
    __extension__ using Wide = unsigned __int128;

    u64 rate_;
    u64 origin_;
};

}  // namespace tracefold
