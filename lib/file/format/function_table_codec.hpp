// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/bytes.hpp"
#include "file/column_codec.hpp"
#include "model/structure.hpp"

#include <optional>
#include <vector>

namespace tracefold {

/// Writes a table of functions behind the token of its assignment (docs/reference/format.md, 4.4).
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

/// Classes of which many are constants, or a few runs, whose values are far from 0 but near each
/// other, or have a common factor, such as the bytes that ranks receive of data by chance: the file
/// has a base and a factor once, and for each class a short number in the place of a column.
struct ClassConstants {
    u64 base = 0;
    u64 factor = 1;

    /// What stands for a column: 0 for any, which follows, else 2 number + 1 for a constant base +
    /// number * factor, and 2 number + 2 for runs that begin with that. Precondition: one of these.
    [[nodiscard]] u64 code(const Column& column) const;
};

/// Base and factor of the classes of an assignment, nothing if numbers would not be shorter.
std::optional<ClassConstants> find_class_constants(const Assignment& assignment,
                                                   const std::vector<Column>& columns,
                                                   const ColumnWriter& writer);

/// base factor n (code [column or runs])*
void put_class_constants(ByteWriter& out, ColumnWriter& writer, const ClassConstants& constants,
                         const Assignment& assignment, const std::vector<Column>& columns);

/// The inverse: the columns of the classes.
std::vector<u32> get_class_constants(FieldReader& in, ColumnReader& reader);

}  // namespace tracefold
