// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/timing/clock.hpp"

#include <ctime>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace tracefold {

u64 CycleClock::of_system() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<u64>(time.tv_sec) * 1'000'000'000U + static_cast<u64>(time.tv_nsec);
}

#if defined(__x86_64__)

namespace {

constexpr u64 kComparison = 4'000'000;  ///< nanoseconds; both ends are some ten nanoseconds off
constexpr int kTries = 16;

/// One moment by both clocks.
struct Moment {
    u64 cycle = 0;
    u64 time = 0;
};

/// Of some readings the one that took the shortest time.
Moment read_both() {
    Moment best;
    u64 shortest = ~u64{0};
    for (int i = 0; i < kTries; ++i) {
        const u64 before = CycleClock::of_system();
        const u64 cycle = __builtin_ia32_rdtsc();
        const u64 took = CycleClock::of_system() - before;
        if (took >= shortest) continue;
        shortest = took;
        best = {cycle, before + took / 2};
    }
    return best;
}

/// Whether the counter goes on at one rate, whatever the core does.
bool counter_is_invariant() {
    constexpr unsigned kPowerLeaf = 0x80000007U;
    constexpr unsigned kInvariant = 1U << 8U;
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    return __get_cpuid(kPowerLeaf, &a, &b, &c, &d) != 0 && (d & kInvariant) != 0;
}

}  // namespace

CycleClock::CycleClock() {
    if (!counter_is_invariant()) return;
    const Moment begin = read_both();
    while (of_system() < begin.time + kComparison) {
    }
    const Moment end = read_both();
    if (end.cycle <= begin.cycle) return;
    first_cycle_ = begin.cycle;
    first_ = begin.time;
    rate_ =
        static_cast<double>(end.time - begin.time) / static_cast<double>(end.cycle - begin.cycle);
}

#else

CycleClock::CycleClock() = default;

#endif

}  // namespace tracefold
