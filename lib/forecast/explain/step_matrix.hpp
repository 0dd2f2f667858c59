// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "forecast/explain/run_graph.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace tracefold {

/// Median; 0 of no values.
double median(std::vector<double> values);

/// Kendall's rank correlation with the position: 1 for rising values, -1 for falling ones. Of more
/// than 1,000 values, means of neighbours are compared.
double kendall_tau(std::span<const double> values);

/// Spearman's rank correlation of two lists of the same length.
double spearman(std::span<const double> a, std::span<const double> b);

/// Both ends of the straight line through values by Theil and Sen: its slope is the median of those
/// of all pairs. Not negative. Of more than 1,000 values, means of neighbours are taken.
struct Trend {
    double first = 0;
    double last = 0;
};
Trend trend(std::span<const double> values);

/// Computation by rank and column: a step of the program or, in programs without steps, a fiftieth
/// of the run. Ticks.
class StepMatrix {
  public:
    /// The column of each call's computation in a graph; kBefore and kAfter outside of all steps.
    static std::vector<u32> columns_of(const RunGraph& graph);

    StepMatrix(u32 ranks, u32 columns)
        : ranks_(ranks), columns_(columns), cells_(ranks * columns) {}

    [[nodiscard]] u32 ranks() const { return ranks_; }
    [[nodiscard]] u32 columns() const { return columns_; }
    double& at(u32 rank, u32 column) { return cells_[std::size_t{rank} * columns_ + column]; }
    [[nodiscard]] double at(u32 rank, u32 column) const {
        return cells_[std::size_t{rank} * columns_ + column];
    }
    /// Of a rank, by column.
    [[nodiscard]] std::span<const double> row(u32 rank) const {
        return {cells_.data() + std::size_t{rank} * columns_, columns_};
    }
    /// Of a column, by rank.
    [[nodiscard]] std::vector<double> column(u32 column) const;
    /// Sums of the ranks over some columns.
    [[nodiscard]] std::vector<double> sums(u32 first, u32 end) const;

  private:
    u32 ranks_;
    u32 columns_;
    std::vector<double> cells_;
};

/// Ranks that take longer than the others.
struct SlowRanks {
    std::vector<u32> ranks;  ///< ascending; empty: none stand out
    double others = 0;       ///< median of the others

    [[nodiscard]] bool contains(u32 rank) const { return std::ranges::binary_search(ranks, rank); }
};

/// Splits the ranks at the largest gap of their times, if at most half of them (rounded up) are
/// slower by `least` than the slowest of the others, and both sides are alike.
SlowRanks slow_ranks(std::span<const double> times, double least);

}  // namespace tracefold
