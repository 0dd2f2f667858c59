// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/table_sink.hpp"

#include <cstddef>
#include <ostream>

namespace tracefold::inline core {

/// Writes a table as lines of comma separated values (csv_field.hpp), the first of which names the
/// columns.
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

}  // namespace tracefold::inline core
