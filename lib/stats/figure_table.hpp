// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/communicator.hpp"
#include "stats/figures.hpp"
#include "stats/row_tree.hpp"

#include <vector>

namespace tracefold::inline stats {

/// The figures of all rows of a tree.
class FigureTable : public SampleSink {
  public:
    explicit FigureTable(RowTree& rows) : rows_(rows) {}

    void add(const Sample& sample) override {
        if (sample.row >= figures_.size()) figures_.resize(rows_.size());
        Moments& moments = figures_[sample.row].of(sample.over, sample.quantity);
        if (sample.times == 1) {
            moments.add(sample.value);
        } else {
            moments.add(sample.value, sample.times);
        }
    }

    /// By row; rows past the end have none.
    [[nodiscard]] const std::vector<Figures>& figures() const { return figures_; }

    /// Unites the rows and figures of all processes on process 0. Collective.
    void reduce(Communicator& comm, int fanout);

  private:
    void merge(std::string_view bytes);

    RowTree& rows_;
    std::vector<Figures> figures_;
};

}  // namespace tracefold::inline stats
