// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "stats/statistics.hpp"

#include "comm/agree.hpp"
#include "stats/figure_table.hpp"
#include "stats/model_durations.hpp"
#include "stats/over_processes.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// Puts the rows of a tree in the order in which people read them.
class RowOrder {
  public:
    RowOrder(const RowTree& rows, const std::vector<Figures>& figures,
             const std::vector<LogHistogram>& durations)
        : rows_(rows), figures_(figures), durations_(durations), below_(rows.size()) {
        for (u32 row = 1; row < rows.size(); ++row) below_[rows[row].parent].push_back(row);
    }

    /// Rows with figures of their own.
    std::vector<u32> sorted() {
        visit(RowTree::kRoot);
        return std::move(order_);
    }

  private:
    void visit(u32 row) {
        if (row != RowTree::kRoot && figures_[row] != Figures()) order_.push_back(row);
        std::sort(below_[row].begin(), below_[row].end(), [this](u32 a, u32 b) {
            if (time(a) != time(b)) return time(a) > time(b);
            if (figures_[a].calls() != figures_[b].calls()) {
                return figures_[a].calls() > figures_[b].calls();
            }
            return rows_[a].name < rows_[b].name;
        });
        for (const u32 next : below_[row]) visit(next);
    }

    [[nodiscard]] u128 time(u32 row) const {
        const Moments& exact = figures_[row].of(Over::calls, Quantity::time);
        return exact.empty() ? durations_[row].sum() : exact.sum();
    }

    const RowTree& rows_;
    const std::vector<Figures>& figures_;
    const std::vector<LogHistogram>& durations_;
    std::vector<std::vector<u32>> below_;
    std::vector<u32> order_;
};

void fill_rows(Sampler& sampler, TraceFile& file, const SampleRequest& request,
               const FigureTable& table, Statistics& statistics) {
    const RowTree& rows = sampler.rows();
    std::vector<Figures> figures = table.figures();
    figures.resize(rows.size());
    std::vector<LogHistogram> durations(rows.size());
    if (knows_durations(file, request)) durations = durations_by_row(file, sampler, request.rows);
    for (const u32 row : RowOrder(rows, figures, durations).sorted()) {
        statistics.rows.push_back({rows.path(row), rows[row].mpi, figures[row], durations[row]});
    }
}

}  // namespace

Statistics collect_statistics(Communicator& comm, TraceFile& file, const SampleRequest& request,
                              int fanout) {
    Sampler sampler(file, request);
    FigureTable table(sampler.rows());
    const std::vector<u32> locations = sampler.locations(comm.rank(), comm.size());
    u64 iterations = 0;
    agree(comm, [&] {
        sampler.pass(locations, table);
        for (const u32 location : request.count_iterations ? locations : std::vector<u32>()) {
            iterations = std::max(iterations, sampler.iterations().count(location));
        }
    });
    table.reduce(comm, fanout);
    Statistics statistics;
    statistics.timing = file.summary().timing;
    statistics.ticks_per_second = static_cast<double>(file.definitions().timer_resolution());
    statistics.locations = sum_over(comm, locations.size());
    statistics.backwards = sum_over(comm, sampler.backwards());
    statistics.iterations = most_of(comm, iterations);
    statistics.has_iterations = request.iterations && !sampler.is_folded();
    agree(comm, [&] {
        if (comm.rank() == 0) fill_rows(sampler, file, request, table, statistics);
    });
    return statistics;
}

}  // namespace tracefold
