// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/timing/pacer.hpp"

#include <ctime>

#include <sched.h>

namespace tracefold {

namespace {

/// A sleeper wakes up about this late.
constexpr u64 kSleepMargin = 80'000;

void sleep_for(u64 nanoseconds) {
    const timespec time{static_cast<time_t>(nanoseconds / 1'000'000'000U),
                        static_cast<long>(nanoseconds % 1'000'000'000U)};
    nanosleep(&time, nullptr);
}

}  // namespace

u64 Pacer::wait_until(u64 target) const {
    u64 now = clock_now();
    while (now < target) {
        if (options_.sleep) {
            if (target - now > kSleepMargin) {
                sleep_for(target - now - kSleepMargin);
            } else {
                sched_yield();
            }
        }
        now = clock_now();
    }
    return now;
}

}  // namespace tracefold
