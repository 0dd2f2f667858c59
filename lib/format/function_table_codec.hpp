// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "format/column_codec.hpp"

#include <optional>
#include <vector>

namespace tracefold {

/// Writes a table of functions behind the token of its assignment (docs/format.md, 4.4).
void put_functions(ByteWriter& out, ColumnWriter& columns, const FunctionTable& table);

/// Reads tables of functions. Throws Error(corrupt) on anything that a writer does not write.
class FunctionTableReader {
  public:
    FunctionTableReader(FieldReader& in, ColumnReader& columns) : in_(in), columns_(columns) {}

    /// The tables of another script or symbol come next: they follow none of those before.
    void begin() { leader_.reset(); }
    /// A table whose first column, and the 0 behind it, was read. Its participants have columns
    /// that take no bytes: as many are taken from `free_columns`.
    FunctionTable get(u32 first, u64& free_columns);

  private:
    void get_columns(std::vector<u32>& columns);
    void get_sequence(FunctionTable& table);
    [[nodiscard]] u32 get_size(u64 size) const;
    u64 get_grid(FunctionTable& table, u64& free_columns);
    u64 get_grid(std::vector<DigitGrid::Digit>& grid, u64 head, u64& free_columns);

    FieldReader& in_;
    ColumnReader& columns_;
    std::optional<FunctionTable> leader_;
};

}  // namespace tracefold
