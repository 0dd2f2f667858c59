// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "base/utf8.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace tracefold {

/// Number of characters of UTF-8 TEXT; an invalid byte counts as one.
std::size_t display_width(std::string_view text);

/// TEXT cut after WIDTH characters.
std::string_view fit(std::string_view text, std::size_t width);

/// TEXT with "..." in the middle if it has more than WIDTH characters.
std::string shortened(std::string_view text, std::size_t width);

/// TEXT wrapped to lines of at most WIDTH characters, of which all but the first one are indented
/// further; longer words have a line of their own.
std::string wrap(std::string_view text, std::size_t width, std::size_t indent = 0);

/// A line of text wrapped to WIDTH characters, not counting escape sequences: at blanks, else at
/// commas or slashes. The following lines are indented by four more than the first. Cost: linear.
std::string wrap_line(std::string_view line, std::size_t width);

/// printable() TEXT, escaped for HTML and SVG, including attributes.
std::string markup_text(std::string_view text);

/// Represents sums beyond 64 bits (kOverflow).
inline constexpr std::string_view kOverflowText = "overflow";

/// SI units (powers of 1000), one decimal below 100: "337 B", "1.9 GB", "171 MB"; or kOverflowText.
std::string format_size(u64 bytes);
/// format_size() for sums and means that may exceed 64 bits; kOverflowText for NaN. Precondition:
/// >= 0.
std::string format_bytes(double bytes);
/// Rounds to an integer; at most 2^64 - 1. Precondition: not negative.
u64 rounded(double number);
/// "12.5 GB/s". Precondition: not negative.
std::string format_bandwidth(double bytes_per_second);

/// "999", "12.4 M".
std::string format_count(u64 count);
/// "1 rank", "27 ranks", "2.8 k calls".
std::string format_counted(u64 count, std::string_view word);

/// "1.9", "24.6", "271", "2.8 k". Precondition: not negative.
std::string format_ratio(double ratio);

/// "0 s", "1.2 us", "20.0 ms", "8.2 s", "5400 s".
std::string format_time(double seconds);

/// A fraction as percentage: "12.3 %".
std::string format_percent(double share, int decimals = 1);

/// Parses a duration with its unit (ns, us, ms, s), as in "1.5s" or "20 ms". Throws Error(usage).
double parse_seconds(std::string_view text);

}  // namespace tracefold
