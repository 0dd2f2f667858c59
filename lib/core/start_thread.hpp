// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <thread>

namespace tracefold {

/// A thread that the program cannot do without. Throws Error(io) if the system refuses to start
/// one.
std::thread start_thread(std::function<void()> work);

/// A thread that only makes work faster. It is not joinable if the system refuses to start one.
std::thread try_start_thread(std::function<void()> work);

}  // namespace tracefold
