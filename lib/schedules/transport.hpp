// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <span>
#include <vector>

namespace tracefold {

/// Who sends how much to whom, where only the sums are known: a matrix of whole numbers whose rows
/// and columns have the given sums. Every entry is the share that is proportional to both sums,
/// rounded down, plus a few bytes of what rounding left, which are dealt to the columns in turn.
/// Deterministic. Memory: linear in rows and columns; the matrix is never held.
class Transport {
  public:
    /// If the sums of the two differ, the columns are scaled to the rows: is_exact() tells. Without
    /// any column sum what is sent is spread evenly. Cost: rows x columns.
    Transport(std::vector<u64> row_sums, std::vector<u64> column_sums);

    /// True if the column sums are those that were asked for.
    [[nodiscard]] bool is_exact() const { return exact_; }

    /// The largest sum of a row or column.
    [[nodiscard]] u64 largest_sum() const;

    /// One row or column of the matrix. Cost: (rows + columns) log.
    void row(u32 row, std::vector<u64>& out) const;
    void column(u32 column, std::vector<u64>& out) const;

  private:
    void scale_columns(u64 total);
    void find_rest();
    [[nodiscard]] u64 share(u32 row, u32 column) const;

    std::vector<u64> rows_;
    std::vector<u64> columns_;
    u64 total_ = 0;
    bool exact_ = true;
    /// What rounding left of the rows, summed up, one more than there are rows.
    std::vector<u64> row_rest_;
    /// What it left of the columns, in layers: the k-th layer holds the columns that lack k or
    /// more, in the order of `dealt_`. Where each layer begins, and after the last one.
    std::vector<u64> layers_;
    std::vector<u32> dealt_;  ///< columns that lack more first
    std::vector<u32> place_;  ///< of each column in dealt_
};

}  // namespace tracefold
