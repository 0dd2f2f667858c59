// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/communicator.hpp"
#include "stats/moments.hpp"
#include "stats/row_tree.hpp"
#include "stats/sample.hpp"

#include <array>
#include <vector>

namespace tracefold {

/// The statistics of one row: of each quantity, over calls, ranks and iterations. Only those that
/// call it at all count: a location that never does is no sample.
class Figures {
  public:
    [[nodiscard]] const Moments& of(Over over, Quantity quantity) const {
        return moments_[static_cast<std::size_t>(over)][static_cast<std::size_t>(quantity)];
    }
    [[nodiscard]] Moments& of(Over over, Quantity quantity) {
        return moments_[static_cast<std::size_t>(over)][static_cast<std::size_t>(quantity)];
    }
    [[nodiscard]] u64 calls() const { return of(Over::calls, Quantity::calls).count(); }
    [[nodiscard]] u64 ranks() const {
        return std::max(of(Over::ranks, Quantity::calls).count(),
                        of(Over::ranks, Quantity::total_samples).count());
    }
    /// Samples of the call stack with the row's region on it.
    [[nodiscard]] u64 samples() const { return of(Over::calls, Quantity::total_samples).count(); }

    void merge(const Figures& other);
    static void each_field(auto& self, auto& visit) { visit(self.moments_); }

    bool operator==(const Figures&) const = default;

  private:
    std::array<std::array<Moments, kQuantities>, kOvers> moments_;
};

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
    RowTree& rows_;
    std::vector<Figures> figures_;
};

}  // namespace tracefold
