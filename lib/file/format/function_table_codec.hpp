// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/bytes.hpp"
#include "file/column_codec.hpp"
#include "model/structure.hpp"

#include <optional>
#include <vector>

namespace tracefold {

/// Writes a table of functions after the token of its assignment (docs/reference/format.md, 4.4).
void put_functions(ByteWriter& out, ColumnWriter& columns, const FunctionTable& table);

/// Reads tables of functions. Throws Error(corrupt) for anything that a writer does not write.
class FunctionTableReader {
  public:
    FunctionTableReader(FieldReader& in, ColumnReader& columns) : in_(in), columns_(columns) {}

    /// Begins another script or symbol: its tables do not follow previous ones.
    void begin() { leader_.reset(); }
    /// Reads a table after its first column and the following 0. The implied columns of its
    /// participants are subtracted from `free_columns`.
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

/// Compact classes: many columns are constants or short runs whose values are close to each other
/// or have a common factor, such as message sizes that vary irregularly over ranks. The file stores
/// base and factor once, and a small number per class instead of a column.
struct ClassConstants {
    u64 base = 0;
    u64 factor = 1;

    /// The code of a column: 0 if the column follows, else 2 number + 1 for a constant base +
    /// number * factor, and 2 number + 2 for runs that begin with it. Precondition: one of these.
    [[nodiscard]] u64 code(const Column& column) const;
};

/// Returns base and factor for the classes of an assignment, nothing if that is not shorter.
std::optional<ClassConstants> find_class_constants(const Assignment& assignment,
                                                   const std::vector<Column>& columns,
                                                   const ColumnWriter& writer);

/// base factor n (code [column or runs])*
void put_class_constants(ByteWriter& out, ColumnWriter& writer, const ClassConstants& constants,
                         const Assignment& assignment, const std::vector<Column>& columns);

/// The inverse of put_class_constants(): the columns of the classes.
std::vector<u32> get_class_constants(FieldReader& in, ColumnReader& reader);

}  // namespace tracefold
