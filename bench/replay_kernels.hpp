// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "event_recorder.hpp"
#include "replay/timing/pacer.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// What the computation between two calls would be in a loop written by hand.
class Pause {
  public:
    explicit Pause(u64 nanoseconds) : nanoseconds_(nanoseconds) {}

    /// Before a call.
    void operator()() {
        if (nanoseconds_ == 0) return;
        const u64 end = clock_now() + nanoseconds_;
        while (clock_now() < end) {
        }
    }

  private:
    u64 nanoseconds_;
};

/// A program of many equal steps, as a trace and as the loop that somebody would write.
struct ReplayKernel {
    std::string name;
    u64 calls = 0;   ///< MPI calls in a step
    u64 events = 0;  ///< their records
    bool needs_partner = false;
    void (*record)(EventRecorder& out, u64 rank, u64 ranks) = nullptr;  ///< one step
    /// By hand, all steps, on MPI_COMM_WORLD, with a pause before every call.
    void (*run)(u64 steps, Pause& pause) = nullptr;
};

/// Small messages: a non-blocking exchange with two neighbours, a ping-pong of ranks 0 and 1,
/// collective calls.
const std::vector<ReplayKernel>& replay_kernels();

}  // namespace tracefold
