// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "format/column_codec.hpp"
#include "io/bytes.hpp"
#include "model/structure.hpp"

#include <optional>

namespace tracefold {

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
