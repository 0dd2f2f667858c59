// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <thread>

namespace tracefold {

/// A thread that the program cannot do without. Throws Error(io) if the system refuses to start
/// one. Threads that only make work faster come from run_parallel() (core/parallel.hpp) and
/// run_as_team() (comm/thread_team.hpp), which do with fewer.
std::thread start_thread(std::function<void()> work);

}  // namespace tracefold
