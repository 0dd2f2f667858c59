// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/communicator.hpp"
#include "core/log_histogram.hpp"
#include "stats/row_tree.hpp"
#include "stats/sample.hpp"

#include <vector>

namespace tracefold {

/// How long the calls of one row take, and how that changes from step to step; in ticks.
struct CallSpread {
    LogHistogram calls;
    /// Of what each location spends in an iteration, by column of iterations; rows past
    /// SpreadTable::kMostMaps have none.
    std::vector<LogHistogram> steps;
};

/// Counts times of calls in logarithmic bins, whose bounds need not be known before, and passes all
/// samples on, so that one walk serves figures and histograms. Memory: some 2 kB per row, and 200
/// kB for those with a map over the iterations.
class SpreadTable : public SampleSink {
  public:
    static constexpr std::size_t kMostMaps = 96;

    /// `per_column`: iterations of a column. Both must outlive this object.
    SpreadTable(RowTree& rows, SampleSink& next, u64 per_column)
        : rows_(rows), next_(next), per_column_(per_column) {}

    void add(const Sample& sample) override;

    /// By row; rows past the end have none.
    [[nodiscard]] const std::vector<CallSpread>& spreads() const { return spreads_; }

    /// Unites the rows and counts of all processes on process 0. Collective.
    void reduce(Communicator& comm, int fanout);

  private:
    RowTree& rows_;
    SampleSink& next_;
    u64 per_column_;
    std::size_t maps_ = 0;
    std::vector<CallSpread> spreads_;
};

}  // namespace tracefold
