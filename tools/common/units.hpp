// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <string>
#include <string_view>

namespace tracefold {

/// In place of a sum that needs more than 64 bits (kOverflow).
inline constexpr std::string_view kOverflowText = "overflow";

/// SI units (powers of 1000), one decimal below 100: "337 B", "1.9 GB", "171 MB"; kOverflowText.
std::string format_size(u64 bytes);
/// The same of a sum or mean, which may have more than 64 bits; kOverflowText if it is not a
/// number. Precondition: not negative.
std::string format_bytes(double bytes);
/// To the next whole number; at most 2^64 - 1. Precondition: not negative.
u64 rounded(double number);
/// "12.5 GB/s". Precondition: not negative.
std::string format_bandwidth(double bytes_per_second);

/// "999", "12.4 M".
std::string format_count(u64 count);

/// "0 s", "1.2 us", "20.0 ms", "8.2 s", "5400 s".
std::string format_time(double seconds);

/// A share of one: "12.3 %".
std::string format_percent(double share, int decimals = 1);

/// A duration with its unit (ns, us, ms, s), as in "1.5s" or "20 ms". Throws Error(usage).
double parse_seconds(std::string_view text);

}  // namespace tracefold
