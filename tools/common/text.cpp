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

std::string wrap(std::string_view text, std::size_t width) {
    std::string result;
    std::size_t line = 0;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
        const std::size_t length = display_width(word);
        const bool fits = line + 1 + length <= width;
        if (!result.empty()) result += fits ? ' ' : '\n';
        line = fits && !result.empty() ? line + 1 + length : length;
        result += word;
    }
    return result;
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

namespace {

constexpr std::size_t kGap = 2;

}  // namespace

Table::Table(std::vector<Column> columns)
    : columns_(std::move(columns)), widths_(columns_.size(), 0) {
    std::vector<std::string> titles;
    for (const Column& column : columns_) titles.push_back(column.title);
    add_line(titles);
}

void Table::add_row(const std::vector<std::string>& cells) {
    if (cells.size() != columns_.size())
        throw Error(ErrorKind::internal, "a table row has another number of cells than its header");
    add_line(cells);
}

void Table::add_line(const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string cell = printable(cells[i]);
        widths_[i] = std::max(widths_[i], display_width(cell));
        line += cell;
        sizes_.push_back(static_cast<u32>(cell.size()));
    }
    line.shrink_to_fit();
    lines_.push_back(std::move(line));
}

void Table::print(std::ostream& out, std::size_t indent) const {
    auto size = sizes_.begin();
    std::string line;
    for (const std::string& cells : lines_) {
        std::string_view left = cells;
        line.assign(indent, ' ');
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const std::string_view cell = left.substr(0, *size);
            left.remove_prefix(*size++);
            const std::size_t padding = widths_[i] - display_width(cell);
            if (i > 0) line.append(kGap, ' ');
            if (columns_[i].align == Align::right) line.append(padding, ' ');
            line += cell;
            if (columns_[i].align == Align::left) line.append(padding, ' ');
        }
        const bool is_title = &cells == &lines_.front();
        if (is_title && cells.empty()) continue;
        line.erase(line.find_last_not_of(' ') + 1);
        out << line << '\n';
    }
}

}  // namespace tracefold
