// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "profile/efficiency.hpp"

namespace tracefold {

/// The runtime and the factors of the processes, from Efficiency::ranks.
void add_factors(Efficiency& result);

/// The hybrid factors, from Efficiency::threads. Precondition: add_factors().
void add_thread_factors(Efficiency& result);

/// The factors of host and accelerators, from Efficiency::threads and devices. Precondition: the
/// others, as far as they are wanted.
void add_device_factors(Efficiency& result);

}  // namespace tracefold
