// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>

namespace tracefold::inline core {

/// Runs work(0) to work(count - 1) at the same time, each in a thread of its own but the first,
/// which is run by the caller. Returns when all have ended; then throws what the lowest one threw.
/// Threads that the system refuses to start do without: the caller does their work afterwards.
void run_parallel(std::size_t count, const std::function<void(std::size_t)>& work);

/// Runs work(0) to work(count - 1), each in whichever of `threads` threads is free next. Throws
/// what one of them threw.
void run_each(std::size_t threads, std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace tracefold::inline core
