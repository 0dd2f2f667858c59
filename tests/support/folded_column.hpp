// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_builder.hpp"
#include "fold/column_cursor.hpp"
#include "fold/columns/column_size.hpp"

#include <vector>

namespace tracefold {

/// A sequence of numbers after folding, for tests.
class FoldedColumn {
  public:
    explicit FoldedColumn(const std::vector<u64>& values) : size_(values.size()) {
        ColumnBuilder builder;
        for (const u64 value : values) builder.push(value);
        id_ = builder.finish(pool_);
    }

    [[nodiscard]] const Column& column() const { return pool_.columns()[id_]; }
    [[nodiscard]] const Pattern& pattern() const { return pool_.patterns()[column().pattern]; }
    [[nodiscard]] u64 bytes() const { return column_size(pool_, id_); }
    [[nodiscard]] FoldedSource source() const { return {pool_.patterns(), pool_.columns()}; }
    [[nodiscard]] u32 id() const { return id_; }
    [[nodiscard]] std::vector<u64> unwound() const { return unwind(source(), id_, size_); }

    /// Items that a reader of the pattern would see.
    [[nodiscard]] std::size_t item_count() const {
        if (!column().is_folded()) return column().values.size();
        std::size_t items = pattern().root.size();
        for (const auto& body : pattern().loops) items += body.size();
        return items;
    }

  private:
    StructurePool pool_;
    std::size_t size_;
    u32 id_ = kNone;
};

}  // namespace tracefold
