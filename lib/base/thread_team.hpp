// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"

#include <functional>

namespace tracefold {

/// Runs `work` in `threads` threads of this process at once, the caller's among them as rank 0,
/// which form a group as processes do: what shares work out among processes shares it out among
/// these. Returns when all have ended; then throws what the lowest rank threw that did not fail
/// because another one had left. Where the system refuses threads, the group is smaller.
/// Precondition: threads >= 1. The group may be used by each thread for itself; its abort() ends
/// nothing. Cost: a message is copied once.
void run_as_team(u32 threads, const std::function<void(Communicator& team)>& work);

}  // namespace tracefold
