// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "base/utf8.hpp"

#include <cstddef>
#include <deque>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// Characters of TEXT, which is taken as UTF-8; a stray byte counts as one.
std::size_t display_width(std::string_view text);

/// TEXT cut after WIDTH characters.
std::string_view fit(std::string_view text, std::size_t width);

/// TEXT with line ends in place of blanks, so that no line is longer than WIDTH characters; longer
/// words have a line of their own.
std::string wrap(std::string_view text, std::size_t width);

/// printable() TEXT as it may stand in HTML and SVG, attributes included.
std::string markup_text(std::string_view text);

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

/// Text in aligned columns, two blanks apart, without blanks at the ends of lines.
class Table {
  public:
    enum class Align { left, right };

    struct Column {
        std::string title;
        Align align = Align::left;
    };

    /// Titles are printed unless all are empty.
    explicit Table(std::vector<Column> columns);

    /// Control characters in the cells are replaced. Precondition: one cell per column, or
    /// Error(internal).
    void add_row(const std::vector<std::string>& cells);

    /// Memory: the text of all rows and eight bytes per cell until here, since every cell affects
    /// the width of its column.
    void print(std::ostream& out, std::size_t indent = 0) const;

  private:
    void add_line(const std::vector<std::string>& cells);

    std::vector<Column> columns_;
    std::deque<std::string> lines_;  ///< the cells of each row in one string, the titles first
    std::deque<u32> sizes_;          ///< of all cells, in bytes
    std::vector<std::size_t> widths_;
};

/// For columns of numbers.
inline constexpr Table::Align kRight = Table::Align::right;

}  // namespace tracefold
