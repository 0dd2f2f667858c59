// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/clock_map.hpp"

namespace tracefold {

/// The time that people are told: ticks since the first event of the trace, on the clock that all
/// locations share. Clock offsets are applied, once.
class CommonClock {
  public:
    /// `owners`: by location, the one whose map counts for it. Cost: a pass over the beginning of
    /// all locations. Throws Error(corrupt).
    CommonClock(TraceFile& file, std::vector<u32> owners, std::vector<ClockMap> maps);

    /// From the clock of a location to the common one.
    [[nodiscard]] const ClockMap& map(u32 location) const { return maps_[owners_[location]]; }

    /// On the common clock, when the first event was.
    [[nodiscard]] u64 start() const { return start_; }

    /// Ticks since then of what a location recorded; 0 for what was before, as the begin of a
    /// measurement may be.
    [[nodiscard]] u64 since_start(u32 location, u64 ticks) const {
        const u64 common = map(location).common(ticks);
        return common > start_ ? common - start_ : 0;
    }

  private:
    std::vector<u32> owners_;     ///< by location
    std::vector<ClockMap> maps_;  ///< by location
    u64 start_ = 0;
};

}  // namespace tracefold
