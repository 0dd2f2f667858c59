// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/communicator.hpp"
#include "core/error.hpp"

#include <functional>
#include <optional>

namespace tracefold {

/// What `work` throws, in a form that travels to other processes; nothing if it succeeds.
std::optional<Error> failure_of(const std::function<void()>& work);

/// Runs `work` on every process and lets all of them know how it ended: returns everywhere if it
/// succeeded everywhere, else throws everywhere the same Error, that of the lowest failing rank.
/// Exceptions of other types become Error(internal), but for those of a process that is alone.
/// Collective. Precondition: `work` does not communicate in a way that a failing partner would
/// leave incomplete. Cost: one all_gather(), and a broadcast() after a failure.
void agree(Communicator& comm, const std::function<void()>& work);

/// The same for what process 0 does by itself.
void on_first(Communicator& comm, const std::function<void()>& work);

}  // namespace tracefold
