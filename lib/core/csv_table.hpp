// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/table_sink.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

namespace tracefold {

/// `text` as one field of a line of comma separated values (RFC 4180): in quotes where it needs
/// them, printable(), and with an apostrophe in front of what a spreadsheet would take for a
/// formula (it begins with = + - @ and is no number).
std::string csv_field(std::string_view text);

/// The shortest text that reads back as the same number.
inline std::string csv_number(double number) {
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}
inline std::string csv_number(u64 number) { return std::to_string(number); }

/// Writes a table as lines of comma separated values, the first of which names the columns.
class CsvTable : public TableSink {
  public:
    /// The stream must outlive the table.
    explicit CsvTable(std::ostream& out) : out_(out) {}

    using TableSink::begin;
    void begin(std::span<const TableColumn> columns) override;
    void text(std::string_view text) override;
    void whole(u64 number) override;
    void real(double number) override;
    void none() override;

  private:
    void add(std::string_view field);

    std::ostream& out_;
    std::size_t columns_ = 0;
    std::size_t column_ = 0;  ///< of the next cell
};

}  // namespace tracefold
