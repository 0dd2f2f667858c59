// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "common/console.hpp"

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

namespace tracefold {

/// Text in aligned columns, separated by two blanks, without trailing blanks. A table that is wider
/// than the console has fewer columns and shorter names there, and a line below it that says so.
class Table {
  public:
    enum class Align {
        left,      ///< Names, which are shortened in the middle.
        sentence,  ///< Text that is wrapped; only the last column.
        right,     ///< Numbers.
    };

    struct Column {
        std::string title;
        Align align = Align::left;
        /// 0: always shown. Of the other columns, those with the largest number are left out first.
        unsigned dispensable = 0;
    };

    /// Prints titles unless all are empty.
    explicit Table(std::vector<Column> columns);

    /// Replaces control characters. Throws Error(internal) unless there is one cell per column.
    void add_row(const std::vector<std::string>& cells);

    /// Memory: the text of all rows and eight bytes per cell, since every cell affects the column
    /// widths.
    void print(Console& console, std::size_t indent = 0) const;

  private:
    struct Layout {
        std::vector<std::size_t> widths;
        std::vector<bool> shown;
        bool shortens = false;  ///< names
    };

    void add_line(const std::vector<std::string>& cells);
    [[nodiscard]] Layout layout(std::size_t columns) const;
    /// False if all columns must be shown.
    [[nodiscard]] bool leave_out_least(Layout& layout) const;
    void print_note(const Layout& layout, std::size_t indent, Console& console) const;

    std::vector<Column> columns_;
    std::deque<std::string> lines_;  ///< the cells of each row in one string, the titles first
    std::deque<u32> sizes_;          ///< of all cells, in bytes
    std::vector<std::size_t> widths_;
};

/// For columns of numbers.
inline constexpr Table::Align kRight = Table::Align::right;
/// For a last column of sentences.
inline constexpr Table::Align kSentence = Table::Align::sentence;

}  // namespace tracefold
