// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <initializer_list>
#include <ostream>
#include <span>
#include <string>
#include <string_view>

namespace tracefold {

/// A column of a result table.
struct TableColumn {
    enum class Type : u8 {
        text,
        whole,  ///< integers
        real,   ///< decimal numbers
    };

    std::string_view name;
    Type type = Type::text;
};

/// Receives a result table: its columns, then its cells row by row. A row ends after as many cells
/// as there are columns. Texts are valid during the call only.
class TableSink {
  public:
    virtual ~TableSink() = default;

    virtual void begin(std::span<const TableColumn> columns) = 0;
    void begin(std::initializer_list<TableColumn> columns) {
        begin(std::span(columns.begin(), columns.size()));
    }

    virtual void text(std::string_view text) = 0;
    virtual void whole(u64 number) = 0;
    virtual void real(double number) = 0;
    /// An unknown value.
    virtual void none() = 0;
};

/// Returns `text` as one CSV field (RFC 4180): quoted where needed, printable(), and with a leading
/// apostrophe if a spreadsheet would take it for a formula (it begins with = + - @ and is not a
/// number).
std::string csv_field(std::string_view text);

/// The shortest text that reads back as the same number.
inline std::string csv_number(double number) {
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}
inline std::string csv_number(u64 number) { return std::to_string(number); }

/// Writes a table as CSV; the first line names the columns.
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
