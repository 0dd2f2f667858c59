// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/text.hpp"

#include "base/error.hpp"
#include "base/types.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace tracefold {
namespace {

std::size_t step(std::string_view text) {
    const std::size_t length = utf8_sequence(text);
    return length == 0 ? 1 : length;
}

}  // namespace

std::size_t display_width(std::string_view text) {
    if (std::ranges::all_of(text, [](char byte) { return static_cast<u8>(byte) < 0x80; }))
        return text.size();
    std::size_t width = 0;
    for (; !text.empty(); text.remove_prefix(step(text))) ++width;
    return width;
}

std::string_view fit(std::string_view text, std::size_t width) {
    std::size_t bytes = 0;
    for (; width > 0 && bytes < text.size(); --width) bytes += step(text.substr(bytes));
    return text.substr(0, bytes);
}

std::string shortened(std::string_view text, std::size_t width) {
    constexpr std::string_view kDots = "...";
    const std::size_t length = display_width(text);
    if (length <= width || width <= kDots.size()) return std::string(text);
    const std::size_t left = width - kDots.size();
    const std::size_t begin = (left + 1) / 2;
    const std::string_view dropped = fit(text, length - (left - begin));
    return std::string(fit(text, begin)).append(kDots).append(text.substr(dropped.size()));
}

std::string wrap(std::string_view text, std::size_t width, std::size_t indent) {
    std::string result;
    std::size_t line = 0;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
        const std::size_t length = display_width(word);
        const bool fits = line + 1 + length <= width;
        if (!result.empty() && !fits) result.append("\n").append(indent, ' ');
        if (!result.empty() && fits) result += ' ';
        line = fits && !result.empty() ? line + 1 + length : length;
        result += word;
    }
    return result;
}

namespace {

/// The bytes of LINE that fit in WIDTH characters.
std::size_t fitting_bytes(std::string_view line, std::size_t width) {
    std::size_t bytes = 0;
    while (bytes < line.size()) {
        const std::string_view rest = line.substr(bytes);
        const bool is_escape = rest.front() == '\x1b';
        if (!is_escape && width-- == 0) break;
        bytes += is_escape ? std::min(rest.find('m'), rest.size() - 1) + 1 : step(rest);
    }
    return bytes;
}

/// Where a line of text is broken that is longer than WIDTH; npos: nowhere.
std::size_t break_in(std::string_view line, std::size_t indent, std::size_t width) {
    const std::size_t fits = fitting_bytes(line, width);
    if (fits == line.size()) return line.npos;
    const std::size_t blank = line.rfind(' ', fits);
    if (blank != line.npos && blank >= indent) return blank;
    const std::size_t comma = line.substr(0, fits).find_last_of(",/");
    return comma == line.npos ? line.find(' ', fits) : comma + 1;
}

}  // namespace

std::string wrap_line(std::string_view line, std::size_t width) {
    constexpr std::size_t kDeeper = 4;
    std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::string margin(std::min(indent + kDeeper, width / 2), ' ');
    std::string text;
    for (std::size_t cut; (cut = break_in(line, indent, width)) != line.npos;) {
        const std::size_t next = line.find_first_not_of(' ', cut);
        if (next == line.npos) break;
        if (text.empty()) width -= margin.size();  // of the following lines
        text.append(line.substr(0, line.find_last_not_of(' ', cut - 1) + 1)).append("\n");
        text += margin;
        line.remove_prefix(next);
        indent = 0;
    }
    return text.append(line);
}

std::string markup_text(std::string_view text) {
    std::string result;
    for (const char character : printable(text)) {
        switch (character) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += character;
        }
    }
    return result;
}

namespace {

constexpr std::array<const char*, 7> kPrefixes = {"", "k", "M", "G", "T", "P", "E"};

struct TimeUnit {
    const char* name;
    double seconds;
};
constexpr std::array<TimeUnit, 4> kTimeUnits = {
    {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}}};

// Numbers that round to 100.0 or 1000 use the next format: no "100.0", no "1000 kB".
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

std::string format_ratio(double ratio) {
    return ratio < kRoundsToThousand ? number_text(ratio) : format_count(rounded(ratio));
}

std::string format_percent(double share, int decimals) {
    if (std::isnan(share)) return "-";
    return fmt::format("{:.{}f} %", 100 * share, decimals);
}

std::string format_counted(u64 count, std::string_view word) {
    const std::string_view ending = count == 1 ? "" : word.ends_with("s") ? "es" : "s";
    return format_count(count).append(" ").append(word).append(ending);
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
