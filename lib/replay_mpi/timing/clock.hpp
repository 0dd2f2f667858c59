// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

namespace tracefold {

/// Tells nanoseconds from the processor's cycle counter where that runs at the same rate for ever,
/// in less than half the time that the system takes; from the system's monotonic clock elsewhere.
class CycleClock {
  public:
    /// Compares the counter with the system's clock for some milliseconds.
    CycleClock();

    [[nodiscard]] u64 now() const {
#if defined(__x86_64__)
        if (rate_ != 0) [[likely]] {
            const auto cycles = static_cast<i64>(__builtin_ia32_rdtsc() - first_cycle_);
            return first_ + static_cast<u64>(static_cast<double>(cycles) * rate_);
        }
#endif
        return of_system();
    }

    /// The system's monotonic clock.
    static u64 of_system();

  private:
    u64 first_cycle_ = 0;
    u64 first_ = 0;    ///< nanoseconds at that cycle
    double rate_ = 0;  ///< nanoseconds per cycle; 0: the counter is not used
};

/// Nanoseconds of a clock that only goes forward. Cost: 10 ns, or what the system's clock takes;
/// the first call some milliseconds.
inline u64 clock_now() {
    static const CycleClock clock;
    return clock.now();
}

}  // namespace tracefold
