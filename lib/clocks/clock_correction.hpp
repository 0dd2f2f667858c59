// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"
#include "trace/clock_map.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

/// What a clock that may be wrong is put forward by at each of its times: the controlled logical
/// clock of Becker, Rabenseifner and Wolf. A **corner** is where the clock jumps ahead, since
/// something that took place before had a later time elsewhere. From there on the correction fades
/// by a tick in kSlope ticks (forward amortisation). Before a corner it rises by no more than that
/// (backward amortisation), but never lifts a time above a limit, such as that of a message whose
/// receive would come before it. Corrected times rise where times do.
///
/// Memory: a corner for every correction that the one before does not make already, and the corners
/// of the limits in force.
class ClockCorrection {
  public:
    /// Between corners, intervals change by one part in so many.
    static constexpr u64 kSlope = 100;

    /// The time as the jumps alone correct it.
    [[nodiscard]] u64 after_jumps(u64 time) const { return time + jumped(time); }
    /// The corrected time. Cost: logarithmic in the number of corners.
    [[nodiscard]] u64 corrected(u64 time) const;

    /// Lets the clock jump so that `time` becomes `least` or later. False if it is already.
    bool jump(u64 time, u64 least);
    /// Lets the correction rise before the jumps made so far, without limits.
    void spread();
    /// After spread(): `time` is not to become later than `most`. Precondition: after_jumps(time)
    /// is not later.
    void limit(u64 time, u64 most);

    [[nodiscard]] bool empty() const { return corners_.empty(); }
    [[nodiscard]] std::size_t corner_count() const { return corners_.size(); }

  private:
    /// A time, and how much is added to it.
    struct Corner {
        u64 time = 0;
        u64 lift = 0;
    };
    /// The way up to a corner: convex, and linear between its own corners, the last of which is the
    /// corner itself.
    using Rise = std::vector<Corner>;

    [[nodiscard]] u64 jumped(u64 time) const;
    [[nodiscard]] static u64 on_line(const Corner& a, const Corner& b, u64 time);
    [[nodiscard]] static u64 on_rise(const Rise& rise, u64 time);
    /// The number of the rise that a time is on; that of all if there is none.
    [[nodiscard]] std::size_t rise_at(u64 time) const;
    [[nodiscard]] u64 begin_of_rise(std::size_t& corner) const;

    std::vector<Corner> corners_;  ///< by time
    std::vector<Rise> rises_;      ///< by time; they do not overlap
};

/// The clocks of a trace: each location's own, from there the common one by the recorded offsets,
/// and what that is corrected by. The locations of a process are corrected alike, so that what its
/// threads, streams and metrics say about each other stays.
class ProcessClocks {
  public:
    /// The file must outlive this object. Throws Error(corrupt).
    explicit ProcessClocks(TraceFile& file);

    [[nodiscard]] u32 process_of(u32 location) const { return process_of_[location]; }
    /// A location's time on the common clock, not corrected.
    [[nodiscard]] u64 common(u32 location, u64 time) const { return maps_[location].common(time); }
    [[nodiscard]] u64 corrected(u32 location, u64 common) const {
        return corrections_[process_of_[location]].corrected(common);
    }
    /// By process.
    [[nodiscard]] std::vector<ClockCorrection>& corrections() { return corrections_; }
    [[nodiscard]] const std::vector<ClockCorrection>& corrections() const { return corrections_; }

  private:
    std::vector<u32> process_of_;  ///< by location
    std::vector<ClockMap> maps_;   ///< by location
    std::vector<ClockCorrection> corrections_;
};

}  // namespace tracefold
