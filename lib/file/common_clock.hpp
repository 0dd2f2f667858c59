// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "model/definition_index.hpp"

#include <vector>

namespace tracefold {

/// Maps times of a location to a common clock by its clock offsets, as OTF2's readers do: linear
/// interpolation between offsets, extrapolation beyond the first and the last. The identity without
/// offsets.
class ClockMap {
  public:
    struct Offset {
        u64 time = 0;
        i64 offset = 0;
    };

    ClockMap() = default;
    explicit ClockMap(std::vector<Offset> offsets);
    /// Throws Error(corrupt).
    ClockMap(TraceFile& file, u32 location);

    /// True without offsets: the map is the identity.
    [[nodiscard]] bool empty() const { return offsets_.empty(); }
    /// True if both maps differ by at most this many ticks at every measured offset of either.
    [[nodiscard]] bool is_near(const ClockMap& other, u64 ticks) const;
    /// Maximum relative stretch of time on the common clock.
    [[nodiscard]] double drift() const;

    /// Cost: logarithmic in the number of offsets.
    [[nodiscard]] u64 common(u64 time) const;

  private:
    std::vector<Offset> offsets_;  ///< ascending by time, without duplicates
};

/// Times for output: ticks since the first event of the trace, on the common clock of all
/// locations. Clock offsets are applied once.
class CommonClock {
  public:
    /// `owners` names, by location, the location whose map applies. Cost: a pass over the start of
    /// all locations. Throws Error(corrupt).
    CommonClock(TraceFile& file, std::vector<u32> owners, std::vector<ClockMap> maps);

    /// The map of a location to the common clock.
    [[nodiscard]] const ClockMap& map(u32 location) const { return maps_[owners_[location]]; }

    /// Time of the first event, on the common clock.
    [[nodiscard]] u64 start() const { return start_; }

    /// Ticks from the first event to this time of a location; 0 for earlier times, such as the
    /// begin of the measurement.
    [[nodiscard]] u64 since_start(u32 location, u64 ticks) const {
        const u64 common = map(location).common(ticks);
        return common > start_ ? common - start_ : 0;
    }

  private:
    std::vector<u32> owners_;     ///< by location
    std::vector<ClockMap> maps_;  ///< by location
    u64 start_ = 0;
};

/// Converts a trace's ticks to nanoseconds; times count from `origin` on.
class Nanoseconds {
  public:
    explicit Nanoseconds(const DefinitionIndex& definitions, u64 origin = 0)
        : rate_(definitions.tick_rate()), origin_(origin) {}

    /// Times before the origin are 0.
    [[nodiscard]] u64 at(u64 ticks) const { return ticks < origin_ ? 0 : of(ticks - origin_); }
    /// Rounded down.
    [[nodiscard]] u64 of(u64 ticks) const { return rate_.nanoseconds(ticks); }

  private:
    TickRate rate_;
    u64 origin_;
};

}  // namespace tracefold
