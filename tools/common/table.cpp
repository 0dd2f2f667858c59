// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/table.hpp"

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "common/text.hpp"

#include <algorithm>
#include <set>

namespace tracefold {

namespace {

constexpr std::size_t kGap = 2;
/// Columns are left out before names become shorter than this.
constexpr std::size_t kWantedName = 28;
constexpr std::size_t kShortestName = 8;

/// The width of a row without its indentation.
std::size_t row_width(const std::vector<std::size_t>& widths, const std::vector<bool>& shown) {
    std::size_t width = 0;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        if (shown[i]) width += widths[i] + (width == 0 ? 0 : kGap);
    }
    return width;
}

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

bool Table::leave_out_least(Layout& layout) const {
    unsigned most = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (layout.shown[i]) most = std::max(most, columns_[i].dispensable);
    }
    for (std::size_t i = 0; i < columns_.size() && most != 0; ++i) {
        if (columns_[i].dispensable == most) layout.shown[i] = false;
    }
    return most != 0;
}

Table::Layout Table::layout(std::size_t columns) const {
    Layout layout{widths_, std::vector<bool>(columns_.size(), true)};
    std::vector<std::size_t> least = widths_;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (columns_[i].align != Align::right) least[i] = std::min(least[i], kWantedName);
    }
    while (row_width(least, layout.shown) > columns && leave_out_least(layout)) {
    }
    for (std::size_t width; (width = row_width(layout.widths, layout.shown)) > columns;) {
        std::size_t widest = columns_.size();
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            if (!layout.shown[i] || columns_[i].align == Align::right) continue;
            if (widest == columns_.size() || layout.widths[i] > layout.widths[widest]) widest = i;
        }
        if (widest == columns_.size() || layout.widths[widest] <= kShortestName) break;
        --layout.widths[widest];
        layout.shortens = layout.shortens || columns_[widest].align == Align::left;
    }
    return layout;
}

void Table::print(Console& console, std::size_t indent) const {
    const Layout layout = this->layout(console.columns() - indent);
    auto size = sizes_.begin();
    std::string line;
    for (const std::string& cells : lines_) {
        std::string_view left = cells;
        line.assign(indent, ' ');
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            std::string cell(left.substr(0, *size));
            left.remove_prefix(*size++);
            if (!layout.shown[i]) continue;
            if (line.size() > indent) line.append(kGap, ' ');
            if (columns_[i].align == Align::sentence) {
                cell = wrap(cell, layout.widths[i], display_width(line));
            } else {
                cell = shortened(cell, layout.widths[i]);
            }
            const std::size_t used = std::min(layout.widths[i], display_width(cell));
            const std::size_t padding = layout.widths[i] - used;
            if (columns_[i].align == Align::right) line.append(padding, ' ');
            line += cell;
            if (columns_[i].align == Align::left) line.append(padding, ' ');
        }
        const bool is_title = &cells == &lines_.front();
        if (is_title && cells.empty()) continue;
        line.erase(line.find_last_not_of(' ') + 1);
        console.text() << line << '\n';
    }
    print_note(layout, indent, console);
}

void Table::print_note(const Layout& layout, std::size_t indent, Console& console) const {
    std::string note;
    std::set<std::string_view> named;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const std::string& title = columns_[i].title;
        if (layout.shown[i] || title.empty() || !named.insert(title).second) continue;
        note += (note.empty() ? "not shown: " : ", ") + title;
    }
    if (layout.shortens) note += note.empty() ? "names are shortened" : "; names are shortened";
    if (note.empty()) return;
    console.text() << std::string(indent, ' ')
                   << console.paint(Style::dim, note + " (--wide shows all)") << '\n';
}

}  // namespace tracefold
