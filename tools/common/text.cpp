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

using Row = std::vector<std::string>;

Row titles_of(const std::vector<Table::Column>& columns) {
    Row titles;
    for (const auto& column : columns) titles.push_back(column.title);
    return titles;
}

void widen(std::vector<std::size_t>& widths, const Row& row) {
    for (std::size_t i = 0; i < row.size(); ++i)
        widths[i] = std::max(widths[i], display_width(row[i]));
}

void print_row(std::ostream& out, const Row& row, const std::vector<Table::Column>& columns,
               const std::vector<std::size_t>& widths, std::size_t indent) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
        const std::string padding(widths[i] - display_width(row[i]), ' ');
        if (i > 0) line.append(kGap, ' ');
        if (columns[i].align == Table::Align::right) line += padding;
        line += row[i];
        if (columns[i].align == Table::Align::left) line += padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
}

}  // namespace

void Table::add_row(std::vector<std::string> cells) {
    if (cells.size() != columns_.size())
        throw Error(ErrorKind::internal, "a table row has another number of cells than its header");
    for (std::string& cell : cells) cell = printable(cell);
    rows_.push_back(std::move(cells));
}

void Table::print(std::ostream& out, std::size_t indent) const {
    const Row titles = titles_of(columns_);
    std::vector<std::size_t> widths(columns_.size(), 0);
    widen(widths, titles);
    for (const Row& row : rows_) widen(widths, row);
    const bool has_titles = std::any_of(titles.begin(), titles.end(),
                                        [](const std::string& title) { return !title.empty(); });
    if (has_titles) print_row(out, titles, columns_, widths, indent);
    for (const Row& row : rows_) print_row(out, row, columns_, widths, indent);
}

}  // namespace tracefold
