// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/communicator.hpp"
#include "stats/linear_bins.hpp"
#include "stats/row_tree.hpp"
#include "stats/sample.hpp"

#include <vector>

namespace tracefold {

/// Counts samples of one kind by row, column and bin. Columns are groups of consecutive iterations.
class BinTable : public SampleSink {
  public:
    struct Layout {
        Over over{};
        Quantity quantity{};
        LinearBins bins;
        u32 columns = 1;
        u64 per_column = 1;  ///< iterations

        [[nodiscard]] std::size_t cells() const {
            return static_cast<std::size_t>(columns) * bins.count();
        }
    };

    BinTable(RowTree& rows, const Layout& layout) : rows_(rows), layout_(layout) {}

    /// Throws Error(corrupt) if the sample is outside of the layout: the trace said otherwise
    /// before.
    void add(const Sample& sample) override;

    /// By row, then column, then bin; rows past the end have none, and so have empty ones.
    [[nodiscard]] const std::vector<std::vector<u64>>& counts() const { return counts_; }

    /// Unites the rows and counts of all processes on process 0. Collective.
    void reduce(Communicator& comm, int fanout);

  private:
    [[nodiscard]] std::vector<u64>& cells(u32 row);

    RowTree& rows_;
    Layout layout_;
    std::vector<std::vector<u64>> counts_;
};

}  // namespace tracefold
