// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/csv_table.hpp"

#include "base/utf8.hpp"

#include <algorithm>

namespace tracefold {

namespace {

bool is_number(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

/// Spreadsheets evaluate texts that begin so, some of them after blanks.
bool is_formula(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    constexpr std::string_view kStarts = "=+-@";
    return text.size() > 1 && kStarts.find(text.front()) != std::string_view::npos &&
           !is_number(text);
}

}  // namespace

std::string csv_field(std::string_view text) {
    std::string shown = printable(text);
    if (is_formula(shown)) shown.insert(0, 1, '\'');
    if (shown.find_first_of(",\"") == std::string::npos) return shown;
    std::string quoted = "\"";
    for (const char c : shown) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted += '"';
}

void CsvTable::begin(std::span<const TableColumn> columns) {
    columns_ = columns.size();
    column_ = 0;
    for (const TableColumn& column : columns) add(column.name);
}

void CsvTable::text(std::string_view text) { add(csv_field(text)); }
void CsvTable::whole(u64 number) { add(csv_number(number)); }
void CsvTable::real(double number) { add(csv_number(number)); }
void CsvTable::none() { add({}); }

void CsvTable::add(std::string_view field) {
    out_ << field;
    column_ = (column_ + 1) % columns_;
    out_ << (column_ == 0 ? '\n' : ',');
}

}  // namespace tracefold
