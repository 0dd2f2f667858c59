// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <initializer_list>
#include <span>
#include <string_view>

namespace tracefold {

/// A column of a table of results.
struct TableColumn {
    enum class Type : u8 {
        text,
        whole,  ///< numbers without decimals
        real,   ///< numbers, some of which may be whole
    };

    std::string_view name;
    Type type = Type::text;
};

/// Receives a table of results: its columns, then cell by cell its rows. After as many cells as
/// there are columns the next row begins. Texts are valid during the call only.
class TableSink {
  public:
    virtual ~TableSink() = default;

    virtual void begin(std::span<const TableColumn> columns) = 0;
    void begin(std::initializer_list<TableColumn> columns) {
        begin(std::span(columns.begin(), columns.size()));
    }

    virtual void text(std::string_view text) = 0;
    virtual void whole(u64 number) = 0;
    virtual void real(double number) = 0;
    /// Nothing is known.
    virtual void none() = 0;
};

}  // namespace tracefold
