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

/// When the calls of one location began and ended in one repetition, in nanoseconds from the common
/// start. Memory: 16 bytes a call.
class MeasuredCallTimes {
  public:
    struct Call {
        u64 begin = 0;
        u64 end = 0;
    };

    /// Before a repetition, so that nothing is allocated in it.
    void prepare(u64 calls) {
        calls_.clear();
        calls_.reserve(calls);
    }
    void add(u64 begin, u64 end) { calls_.push_back({begin, end}); }
    /// Where the recorded program ended.
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
    struct TimePoint {
        u64 ticks = 0;
        u64 time = 0;
    };

    void advance();
    std::optional<TimePoint> next_moment();

    MpiCallReader program_;
    MeasuredCallTimes times_;
    Start start_;
    std::size_t call_ = 0;          ///< the next one of times_
    std::optional<TimePoint> end_;  ///< of the call whose beginning is next_
    TimePoint last_;
    std::optional<TimePoint> next_;
};

}  // namespace tracefold
