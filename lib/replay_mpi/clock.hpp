// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <ctime>

namespace tracefold {

/// Nanoseconds of a clock that only goes forward. Cost: about 20 ns.
inline u64 clock_now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<u64>(time.tv_sec) * 1'000'000'000U + static_cast<u64>(time.tv_nsec);
}

}  // namespace tracefold
