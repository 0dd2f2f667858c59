// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay_mpi/call_in_flight.hpp"
#include "replay_mpi/executor.hpp"

namespace tracefold {

/// Nanoseconds that a location takes for a short call beyond what the call itself takes: messages
/// to nobody are issued, beside a loop of the same calls, and medians compared. `world`: the
/// communicator of all processes; kNone: 0. Cost: some hundred microseconds. Throws Error(io).
u64 issue_overhead(Executor& executor, CallInFlight& in_flight, u64 world);

}  // namespace tracefold
