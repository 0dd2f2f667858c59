// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/node_clocks.hpp"
#include "trace/common_clock.hpp"
#include "trace/nanoseconds.hpp"

namespace tracefold {

/// The moments of a location as nanoseconds from the beginning of the trace.
class TraceClock {
  public:
    /// `map` must outlive the clock.
    TraceClock(const ClockMap& map, const Nanoseconds& nanoseconds)
        : map_(&map), nanoseconds_(nanoseconds) {}

    [[nodiscard]] u64 at(u64 ticks) const { return nanoseconds_.at(map_->common(ticks)); }

  private:
    const ClockMap* map_;
    Nanoseconds nanoseconds_;
};

/// The clocks of all locations: the common one, from the first event on.
class TraceClocks {
  public:
    /// Cost: that of common_clock(). Throws Error(corrupt).
    explicit TraceClocks(TraceFile& file)
        : clock_(common_clock(file)), nanoseconds_(file.definitions(), clock_.start()) {}

    /// Valid as long as this object.
    [[nodiscard]] TraceClock of(u32 location) const { return {clock_.map(location), nanoseconds_}; }

  private:
    CommonClock clock_;
    Nanoseconds nanoseconds_;
};

}  // namespace tracefold
