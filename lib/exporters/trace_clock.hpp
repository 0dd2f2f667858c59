// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exporters/nanoseconds.hpp"
#include "trace/clock_map.hpp"

#include <vector>

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

/// The clocks of all locations, by the clock offsets of the archive that count for them
/// (clock_owners()). Memory: the offsets of a location of each node, a number for each location.
class TraceClocks {
  public:
    /// Cost: a pass over the definitions. Throws Error(corrupt).
    explicit TraceClocks(TraceFile& file);

    /// Valid as long as this object.
    [[nodiscard]] TraceClock of(u32 location) const {
        return {maps_[map_of_[location]], nanoseconds_};
    }

  private:
    Nanoseconds nanoseconds_;
    std::vector<ClockMap> maps_;
    std::vector<u32> map_of_;  ///< by location
};

}  // namespace tracefold
