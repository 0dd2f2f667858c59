// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace tracefold {

/// Text in aligned columns, two blanks apart, without blanks at the ends of lines.
class Table {
  public:
    enum class Align { left, right };

    struct Column {
        std::string title;
        Align align = Align::left;
    };

    /// Titles are printed unless all are empty.
    explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

    /// Control characters in the cells are replaced. Precondition: one cell per column, or
    /// Error(internal).
    void add_row(std::vector<std::string> cells);

    /// Cost: all rows are held until here, since every cell decides on the widths.
    void print(std::ostream& out, std::size_t indent = 0) const;

  private:
    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

/// For columns of numbers.
inline constexpr Table::Align kRight = Table::Align::right;

}  // namespace tracefold
