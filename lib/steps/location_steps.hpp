// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <optional>
#include <vector>

namespace tracefold {

/// The steps of one location, or the iterations of one of its loops: the calls that each begins
/// with. Memory: one entry per run of steps with the same number of calls.
class LocationSteps {
  public:
    /// The next step begins with this call, a number from 0 among the calls of the location.
    /// Precondition: not before the begin or end given last.
    void begin(u64 call);
    /// The last step ends before this call. The next one may begin later.
    void end(u64 call) { runs_.back().end = call; }

    [[nodiscard]] u64 count() const { return count_; }
    /// The calls of a step: from `first` to before `end`.
    struct Calls {
        u64 first = 0;
        u64 end = 0;
    };
    /// Precondition: step < count(). Cost: logarithmic in the runs.
    [[nodiscard]] Calls calls(u64 step) const;
    /// The step of a call, or the next one behind it; count() behind the last one. Cost: as above.
    [[nodiscard]] u64 step_from(u64 call) const;

  private:
    static constexpr u64 kOpen = ~u64{0};

    /// Steps that begin with calls `first`, `first` + `calls`, ...
    struct Run {
        u64 step = 0;
        u64 first = 0;
        u64 calls = 0;
        u64 count = 1;
        u64 end = kOpen;  ///< of the last one of them; kOpen: where the next run begins
    };

    [[nodiscard]] u64 end_of(const Run& run) const {
        return run.end != kOpen || &run == &runs_.back() ? run.end : (&run)[1].first;
    }

    std::vector<Run> runs_;
    u64 count_ = 0;
};

/// Counts the calls of a location and knows their steps. Cost of a call: amortised O(1).
class StepCounter {
  public:
    /// Without steps no call is in one. They must outlive this object.
    explicit StepCounter(const LocationSteps* steps);

    /// Goes on to the next call. Before the first one there is none.
    void next() {
        if (++call_ >= change_) find();
    }
    [[nodiscard]] std::optional<u64> step() const { return step_; }

  private:
    void find();

    const LocationSteps* steps_;
    u64 call_ = ~u64{0};
    u64 change_ = 0;  ///< the call at which it may change whether there is a step, or which
    std::optional<u64> step_;
};

}  // namespace tracefold
