// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <string>

namespace tracefold {

/// From one moment to another; 0 where a clock ran backwards.
constexpr u64 elapsed(u64 from, u64 to) { return to > from ? to - from : 0; }

/// The same with its sign.
struct TickSpan {
    u64 ticks = 0;
    bool backwards = false;  ///< the clock was set back

    static constexpr TickSpan between(u64 from, u64 to) {
        return {to < from ? from - to : to - from, to < from};
    }
};

/// How many ticks of a clock make a second. Whatever turns ticks into time, or time into ticks,
/// does it here (tests/style/check_ticks.py). A clock whose rate the trace does not know (0) counts
/// nanoseconds.
class TickRate {
  public:
    static constexpr u64 kNanoseconds = 1'000'000'000;

    TickRate() = default;
    explicit TickRate(u64 ticks_per_second)
        : rate_(ticks_per_second == 0 ? kNanoseconds : ticks_per_second) {}
    bool operator==(const TickRate&) const = default;

    /// For documents; at least 1.
    [[nodiscard]] u64 ticks_per_second() const { return rate_; }

    /// Seconds of ticks, whole or not. To the precision of the type.
    template <class Ticks>
    [[nodiscard]] double seconds(Ticks ticks) const {
        return static_cast<double>(ticks) / static_cast<double>(rate_);
    }
    [[nodiscard]] double seconds(TickSpan span) const {
        return span.backwards ? -seconds(span.ticks) : seconds(span.ticks);
    }
    /// For sums of many products.
    [[nodiscard]] double seconds_per_tick() const { return 1.0 / static_cast<double>(rate_); }
    [[nodiscard]] double nanoseconds_per_tick() const { return 1e9 / static_cast<double>(rate_); }
    [[nodiscard]] double ticks(double seconds) const {
        return seconds * static_cast<double>(rate_);
    }

    /// Rounded down; as many as 64 bits hold.
    [[nodiscard]] u64 nanoseconds(u64 ticks) const { return scaled(ticks, kNanoseconds, 0); }
    [[nodiscard]] u64 picoseconds(u64 ticks) const { return scaled(ticks, 1000 * kNanoseconds, 0); }
    /// Rounded to the nearest one.
    [[nodiscard]] u64 nearest_nanosecond(u64 ticks) const {
        return scaled(ticks, kNanoseconds, rate_ / 2);
    }

    /// Exact to nine decimals, of which the last is rounded: "12.500000000".
    [[nodiscard]] std::string seconds_text(u64 ticks) const {
        u64 seconds = ticks / rate_;
        u64 fraction = nearest_nanosecond(ticks % rate_);
        if (fraction >= kNanoseconds) {
            ++seconds;
            fraction = 0;
        }
        const std::string digits = std::to_string(fraction);
        return (std::to_string(seconds) + ".").append(9 - digits.size(), '0').append(digits);
    }
    /// The same with a minus sign where a clock ran backwards.
    [[nodiscard]] std::string seconds_text(TickSpan span) const {
        return (span.backwards ? "-" : "") + seconds_text(span.ticks);
    }

  private:
    __extension__ using Wide = unsigned __int128;

    /// ticks * units / rate, `more` added before the division.
    [[nodiscard]] u64 scaled(u64 ticks, u64 units, u64 more) const {
        if (rate_ == units) return ticks;
        if (ticks < (u64{1} << 62U) / units) return (ticks * units + more) / rate_;
        const Wide wide = (static_cast<Wide>(ticks) * units + more) / rate_;
        return wide > ~u64{0} ? ~u64{0} : static_cast<u64>(wide);
    }

    u64 rate_ = kNanoseconds;
};

}  // namespace tracefold
