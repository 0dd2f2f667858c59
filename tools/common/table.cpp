// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/table.hpp"

#include "common/text.hpp"
#include "core/error.hpp"

#include <algorithm>

namespace tracefold {
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
