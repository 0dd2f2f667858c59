// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "core/csv_table.hpp"

#include "core/csv_field.hpp"

namespace tracefold::inline core {

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

}  // namespace tracefold::inline core
