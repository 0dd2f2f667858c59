// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "model/definition_index.hpp"

#include <vector>

namespace tracefold {

/// From the clock of a location to one that all share, by the clock offsets among its local
/// definitions, as OTF2's readers do: linear between two of them, and on beyond the first and the
/// last. Without offsets times stay as they are.
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

    /// True if there are no offsets, so that times stay as they are.
    [[nodiscard]] bool empty() const { return offsets_.empty(); }
    /// True if both differ by no more than so many ticks, wherever an offset of one was measured.
    [[nodiscard]] bool is_near(const ClockMap& other, u64 ticks) const;
    /// Greatest share by which a stretch of time is longer or shorter on the common clock.
    [[nodiscard]] double drift() const;

    /// Cost: logarithmic in the number of offsets.
    [[nodiscard]] u64 common(u64 time) const;

  private:
    std::vector<Offset> offsets_;  ///< by rising time, each time once
};

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

/// Nanoseconds of a trace's ticks. Those of moments count from `origin` on.
class Nanoseconds {
  public:
    explicit Nanoseconds(const DefinitionIndex& definitions, u64 origin = 0)
        : rate_(definitions.tick_rate()), origin_(origin) {}

    /// Moments before the origin are 0.
    [[nodiscard]] u64 at(u64 ticks) const { return ticks < origin_ ? 0 : of(ticks - origin_); }
    /// Rounded down.
    [[nodiscard]] u64 of(u64 ticks) const { return rate_.nanoseconds(ticks); }

  private:
    TickRate rate_;
    u64 origin_;
};

}  // namespace tracefold
