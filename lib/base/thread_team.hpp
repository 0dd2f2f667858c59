// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"

#include <functional>

namespace tracefold {

/// Runs `work` in `threads` threads that form a group like processes, the caller as rank 0:
/// algorithms that distribute work over processes can use the threads instead. Returns when all
/// have ended; then throws the exception of the lowest rank that did not fail only because a
/// partner had left. If the system refuses threads, the group is smaller. Precondition: threads >=
/// 1. Each thread uses its own communicator; abort() has no effect. Cost: a message is copied once.
void run_as_team(u32 threads, const std::function<void(Communicator& team)>& work);

}  // namespace tracefold
