// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"
#include "io/bytes.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracefold {

/// What statistics are kept of: names within names, numbered as they come up. Functions are below
/// the root, call paths below the functions that they lead through. Memory: the names.
class RowTree {
  public:
    static constexpr u32 kRoot = 0;
    /// Names within names: a path takes as much memory as it is deep.
    static constexpr u32 kDeepest = 1000;

    struct Row {
        u32 parent = kNone;  ///< below the row's own number; kNone for the root
        std::string name;
        bool mpi = false;  ///< a function of MPI
        u32 depth = 0;     ///< names above
    };

    RowTree() : rows_(1) {}

    /// The row of this name below another one; made if there is none. Throws Error(unsupported)
    /// below kDeepest.
    u32 child(u32 parent, std::string_view name, bool mpi);

    [[nodiscard]] u32 size() const { return static_cast<u32>(rows_.size()); }
    [[nodiscard]] const Row& operator[](u32 row) const { return rows_[row]; }
    /// The names from the root to a row, the root left out.
    [[nodiscard]] std::vector<std::string> path(u32 row) const;

    void write(ByteWriter& out) const;
    /// Adds the rows of a tree that was written: by its numbers, those that they have here. Throws
    /// Error(corrupt).
    std::vector<u32> merge(ByteReader& in);

  private:
    std::vector<Row> rows_;
    std::map<std::pair<u32, std::string>, u32, std::less<>> numbers_;
};

}  // namespace tracefold
