// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/mpi_call_reader.hpp"
#include "steps/location_steps.hpp"

namespace tracefold {

/// Which step of the program each MPI call of a location is in. Cost: reads the calls once more,
/// without their times. Throws Error(corrupt).
class CallSteps {
  public:
    /// `steps` of the location; null: it takes part in none. Both must outlive this object.
    CallSteps(TraceFile& file, u32 location, const LocationSteps* steps)
        : calls_(file, location, Times::skip), steps_(steps) {}

    /// The step of the next call; kNone: it is in none.
    u32 next() {
        if (steps_ == nullptr || !calls_.next(call_)) return kNone;
        const u64 position = calls_.position();
        const u64 step = steps_->step_from(position);
        if (step >= steps_->count() || position < steps_->calls(step).first) return kNone;
        return static_cast<u32>(step);
    }

  private:
    MpiCallReader calls_;
    const LocationSteps* steps_;
    MpiCall call_;
};

}  // namespace tracefold
