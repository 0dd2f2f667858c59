// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/bytes.hpp"
#include "mpi/mpi_call_reader.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// Begin and end of the calls of one location in one repetition, in nanoseconds from the common
/// start. Memory: 16 bytes per call.
class MeasuredCallTimes {
  public:
    struct Call {
        u64 begin = 0;
        u64 end = 0;
    };

    /// Call before a repetition: avoids allocation during it.
    void prepare(u64 calls) {
        calls_.clear();
        calls_.reserve(calls);
    }
    void add(u64 begin, u64 end) { calls_.push_back({begin, end}); }
    /// Sets the end of the recorded program.
    void set_end(u64 end) { end_ = end; }

    [[nodiscard]] const std::vector<Call>& calls() const { return calls_; }
    [[nodiscard]] u64 end() const { return end_; }

    [[nodiscard]] std::string encoded() const;
    /// Throws Error(corrupt).
    static MeasuredCallTimes decoded(std::string_view bytes);

  private:
    std::vector<Call> calls_;
    u64 end_ = 0;
};

/// Maps times of a trace to times of a replay: begin and end of calls to the measured times, times
/// in between by linear interpolation, times before the start or after the end at their own pace.
class TimeMap {
  public:
    /// Start of the replay: `begin` nanoseconds of the new clock and `ticks` of the trace.
    struct Start {
        u64 begin = 0;
        u64 ticks = 0;
        double nanoseconds_per_tick = 1;
    };

    /// `program` has the calls of `times`, and those that were not issued.
    TimeMap(MpiCallReader program, MeasuredCallTimes times, const Start& start);

    /// Precondition: `ticks` never decreases. The results do not either.
    u64 at(u64 ticks);

  private:
    struct TimePoint {
        u64 ticks = 0;
        u64 time = 0;
    };

    void advance();
    std::optional<TimePoint> next_moment();

    MpiCallReader program_;
    MeasuredCallTimes times_;
    Start start_;
    std::size_t call_ = 0;          ///< index of the next one in times_
    std::optional<TimePoint> end_;  ///< of the call that begins at next_
    TimePoint last_;
    std::optional<TimePoint> next_;
};

}  // namespace tracefold
