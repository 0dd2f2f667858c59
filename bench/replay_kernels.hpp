// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "event_recorder.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// A program of many equal steps, as a trace and as the loop that somebody would write.
struct ReplayKernel {
    std::string name;
    u64 calls = 0;   ///< MPI calls in a step
    u64 events = 0;  ///< their records
    bool needs_partner = false;
    void (*record)(EventRecorder& out, u64 rank, u64 ranks) = nullptr;  ///< one step
    void (*run)(u64 steps) = nullptr;  ///< by hand, all steps, on MPI_COMM_WORLD
};

/// Small messages: a non-blocking exchange with two neighbours, a ping-pong of ranks 0 and 1,
/// collective calls.
const std::vector<ReplayKernel>& replay_kernels();

}  // namespace tracefold
