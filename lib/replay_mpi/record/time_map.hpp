// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/mpi_call_reader.hpp"
#include "replay_mpi/record/measured_call_times.hpp"

#include <optional>

namespace tracefold {

/// Where the moments of a trace fall in a replay of it: beginnings and ends of the calls where they
/// were measured, all others in between in proportion, and what came before the start or after
/// the end at its own pace.
class TimeMap {
  public:
    /// The replay began at `begin` nanoseconds of the new clock, and the trace at `ticks`.
    struct Start {
        u64 begin = 0;
        u64 ticks = 0;
        double nanoseconds_per_tick = 1;
    };

    /// `program` has the calls that `times` tells of, and those that were not issued.
    TimeMap(MpiCallReader program, MeasuredCallTimes times, const Start& start);

    /// Precondition: ticks do not decrease from call to call. Nor do the results.
    u64 at(u64 ticks);

  private:
    struct Moment {
        u64 ticks = 0;
        u64 time = 0;
    };

    void advance();
    std::optional<Moment> next_moment();

    MpiCallReader program_;
    MeasuredCallTimes times_;
    Start start_;
    std::size_t call_ = 0;       ///< the next one of times_
    std::optional<Moment> end_;  ///< of the call whose beginning is next_
    Moment last_;
    std::optional<Moment> next_;
};

}  // namespace tracefold
