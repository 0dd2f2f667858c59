// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/units.hpp"

#include "core/error.hpp"
#include "core/saturating.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace tracefold {
namespace {

constexpr std::array<const char*, 7> kPrefixes = {"", "k", "M", "G", "T", "P", "E"};

struct TimeUnit {
    const char* name;
    double seconds;
};
constexpr std::array<TimeUnit, 4> kTimeUnits = {
    {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}}};

// What rounds to 100.0 or 1000 must be treated as if it were: no "100.0", no "1000 kB".
constexpr double kBeyond64Bits = 18446744073709551616.0;
constexpr double kRoundsToHundred = 99.95;
constexpr double kRoundsToThousand = 999.5;

std::string number_text(double number) {
    return fmt::format("{:.{}f}", number, std::abs(number) < kRoundsToHundred ? 1 : 0);
}

std::string with_prefix(u64 number, const char* unit) {
    if (number < 1000) {
        const std::string text = std::to_string(number);
        return *unit == '\0' ? text : text + " " + unit;
    }
    auto scaled = static_cast<double>(number);
    std::size_t prefix = 0;
    while (scaled >= kRoundsToThousand && prefix + 1 < kPrefixes.size()) {
        scaled /= 1000;
        ++prefix;
    }
    return number_text(scaled) + " " + kPrefixes[prefix] + unit;
}

}  // namespace

std::string format_size(u64 bytes) {
    return bytes == kOverflow ? std::string(kOverflowText) : with_prefix(bytes, "B");
}

std::string format_bytes(double bytes) {
    if (std::isnan(bytes)) return std::string(kOverflowText);
    if (bytes < kBeyond64Bits) return format_size(rounded(bytes));
    return number_text(bytes / 1e18) + " EB";
}

u64 rounded(double number) {
    const double whole = std::round(number);
    return whole < kBeyond64Bits ? static_cast<u64>(whole) : ~u64{0};
}

std::string format_bandwidth(double bytes_per_second) {
    return format_bytes(bytes_per_second) + "/s";
}

std::string format_count(u64 count) { return with_prefix(count, ""); }

std::string format_percent(double share, int decimals) {
    if (std::isnan(share)) return "-";
    return fmt::format("{:.{}f} %", 100 * share, decimals);
}

std::string format_time(double seconds) {
    if (seconds == 0) return "0 s";
    const double amount = std::abs(seconds);
    const auto fitting = std::find_if(
        kTimeUnits.begin(), kTimeUnits.end() - 1,
        [&](const TimeUnit& unit) { return amount / unit.seconds < kRoundsToThousand; });
    return number_text(seconds / fitting->seconds) + " " + fitting->name;
}

double parse_seconds(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && std::isfinite(number) && number >= 0) {
        auto unit = text.substr(static_cast<std::size_t>(end - text.data()));
        while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
        for (const TimeUnit& known : kTimeUnits) {
            if (unit == known.name) return number * known.seconds;
        }
    }
    throw Error(ErrorKind::usage,
                "'{}' is not a time; write a number and ns, us, ms or s, as in 1.5s or 20ms", text);
}

}  // namespace tracefold
