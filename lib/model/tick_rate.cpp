// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/tick_rate.hpp"

namespace tracefold {

std::string TickRate::seconds_text(u64 ticks) const {
    u64 seconds = ticks / rate_;
    u64 fraction = nearest_nanosecond(ticks % rate_);
    if (fraction >= kNanoseconds) {
        ++seconds;
        fraction = 0;
    }
    const std::string digits = std::to_string(fraction);
    return (std::to_string(seconds) + ".").append(9 - digits.size(), '0').append(digits);
}

}  // namespace tracefold
