// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <string>

namespace tracefold {

/// Returns the ticks between two times; 0 if the clock ran backwards.
constexpr u64 elapsed(u64 from, u64 to) { return to > from ? to - from : 0; }

/// A signed difference of two times.
struct TickSpan {
    u64 ticks = 0;
    bool backwards = false;  ///< the clock was set back

    static constexpr TickSpan between(u64 from, u64 to) {
        return {to < from ? from - to : to - from, to < from};
    }
};

/// The ticks per second of a clock. All conversions between ticks and time belong here
/// (tests/style/check_ticks.py). An unknown rate (0) counts as nanoseconds.
class TickRate {
  public:
    static constexpr u64 kNanoseconds = 1'000'000'000;

    TickRate() = default;
    explicit TickRate(u64 ticks_per_second)
        : rate_(ticks_per_second == 0 ? kNanoseconds : ticks_per_second) {}
    bool operator==(const TickRate&) const = default;

    /// For output; at least 1.
    [[nodiscard]] u64 ticks_per_second() const { return rate_; }

    /// Converts whole or fractional ticks to seconds, to the precision of the type.
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

    /// Rounded down; saturates at 64 bits.
    [[nodiscard]] u64 nanoseconds(u64 ticks) const { return scaled(ticks, kNanoseconds, 0); }
    [[nodiscard]] u64 picoseconds(u64 ticks) const { return scaled(ticks, 1000 * kNanoseconds, 0); }
    /// Rounded to the nearest nanosecond.
    [[nodiscard]] u64 nearest_nanosecond(u64 ticks) const {
        return scaled(ticks, kNanoseconds, rate_ / 2);
    }

    /// Nine decimals, rounded: "12.500000000".
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
    /// As above, with a minus sign if the clock ran backwards.
    [[nodiscard]] std::string seconds_text(TickSpan span) const {
        return (span.backwards ? "-" : "") + seconds_text(span.ticks);
    }

  private:
    __extension__ using Wide = unsigned __int128;

    /// Returns (ticks * units + more) / rate.
    [[nodiscard]] u64 scaled(u64 ticks, u64 units, u64 more) const {
        if (rate_ == units) return ticks;
        if (ticks < (u64{1} << 62U) / units) return (ticks * units + more) / rate_;
        const Wide wide = (static_cast<Wide>(ticks) * units + more) / rate_;
        return wide > ~u64{0} ? ~u64{0} : static_cast<u64>(wide);
    }

    u64 rate_ = kNanoseconds;
};

}  // namespace tracefold
