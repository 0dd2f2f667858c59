// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/stats/statistics.hpp"

#include "model/participant_names.hpp"
#include "questions/stats/row_tree.hpp"

#include <algorithm>

namespace tracefold {

namespace {

void write_histogram(const LogHistogram& histogram, ByteWriter& out) {
    out.put_varint(histogram.buckets().size());
    for (const u64 count : histogram.buckets()) out.put_varint(count);
    for (const u64 number : {histogram.sum(), histogram.min(), histogram.max()})
        out.put_varint(number);
}

LogHistogram read_histogram(ByteReader& in) {
    std::vector<u64> buckets(in.get_count(1));
    for (u64& count : buckets) count = in.get_varint();
    const u64 sum = in.get_varint();
    const u64 min = in.get_varint();
    const u64 max = in.get_varint();
    // An empty histogram reports a minimum of 0, which would persist when merging.
    return buckets.empty() ? LogHistogram()
                           : LogHistogram::from_parts(std::move(buckets), sum, min, max);
}

}  // namespace

void SpreadTable::add(const Sample& sample) {
    next_.add(sample);
    if (sample.quantity != Quantity::time || sample.over == SampleScope::ranks) return;
    if (sample.row >= spreads_.size()) spreads_.resize(rows_.size());
    CallSpread& spread = spreads_[sample.row];
    if (sample.over == SampleScope::calls) {
        for (u64 i = 0; i < sample.times; ++i) spread.calls.add(sample.value);
        return;
    }
    if (!spread.has_steps) return;
    const auto column = static_cast<std::size_t>(sample.iteration / per_column_);
    if (column >= spread.steps.size()) {
        columns_ += column + 1 - spread.steps.size();
        spread.steps.resize(column + 1);
    }
    if (columns_ > kMostColumns) {
        columns_ -= spread.steps.size();
        spread.steps = {};
        spread.has_steps = false;
        return;
    }
    spread.steps[column].add(sample.value);
}

void SpreadTable::reduce(Communicator& comm, int fanout) {
    const auto write = [](const CallSpread& spread, ByteWriter& out) {
        write_histogram(spread.calls, out);
        out.put_varint(spread.has_steps ? 1 : 0);
        out.put_varint(spread.steps.size());
        for (const LogHistogram& step : spread.steps) write_histogram(step, out);
    };
    const auto merge = [](CallSpread& spread, ByteReader& in) {
        spread.calls.merge(read_histogram(in));
        const bool others = in.get_varint() != 0;
        const std::size_t columns = in.get_count(1);
        if (columns > spread.steps.size()) spread.steps.resize(columns);
        for (std::size_t i = 0; i < columns; ++i) spread.steps[i].merge(read_histogram(in));
        spread.has_steps = spread.has_steps && others;
        if (!spread.has_steps) spread.steps = {};
    };
    reduce_rows(comm, rows_, spreads_, "histograms of another process", write, merge, fanout);
}

namespace {

/// Sorts the rows of a tree for output.
class RowOrder {
  public:
    RowOrder(const RowTree& rows, const std::vector<Figures>& figures,
             const std::vector<LogHistogram>& durations)
        : rows_(rows), figures_(figures), durations_(durations), below_(rows.size()) {
        for (u32 row = 1; row < rows.size(); ++row) below_[rows[row].parent].push_back(row);
    }

    /// Rows with figures.
    std::vector<u32> sorted() {
        visit(RowTree::kRoot);
        return std::move(order_);
    }

  private:
    /// Visits a row, then its descendants.
    void visit(u32 first) {
        std::vector<u32> left{first};
        while (!left.empty()) {
            const u32 row = left.back();
            left.pop_back();
            if (row != RowTree::kRoot && !figures_[row].empty()) order_.push_back(row);
            std::sort(below_[row].begin(), below_[row].end(), [this](u32 a, u32 b) {
                if (time(a) != time(b)) return time(a) > time(b);
                if (figures_[a].calls() != figures_[b].calls()) {
                    return figures_[a].calls() > figures_[b].calls();
                }
                if (figures_[a].samples() != figures_[b].samples()) {
                    return figures_[a].samples() > figures_[b].samples();
                }
                return rows_[a].name < rows_[b].name;
            });
            left.insert(left.end(), below_[row].rbegin(), below_[row].rend());
        }
    }

    [[nodiscard]] u128 time(u32 row) const {
        const Moments& exact = figures_[row].of(SampleScope::calls, Quantity::time);
        return exact.empty() ? durations_[row].sum() : exact.sum();
    }

    const RowTree& rows_;
    const std::vector<Figures>& figures_;
    const std::vector<LogHistogram>& durations_;
    std::vector<std::vector<u32>> below_;
    std::vector<u32> order_;
};

/// Collects statistics in one walk.
class StatisticsCollector {
  public:
    StatisticsCollector(Communicator& comm, TraceFile& file, const SampleRequest& request,
                        int fanout)
        : comm_(comm),
          file_(file),
          request_(request),
          fanout_(fanout),
          sampler_(file, request),
          table_(sampler_.rows()),
          locations_(sampler_.locations(comm.rank(), comm.size())) {}

    Statistics run() {
        agree(comm_, [&] { sampler_.pass(locations_, table_); });
        Statistics statistics;
        // After the walk, which finds the iterations if it needs them.
        if (request_.count_iterations) statistics.iterations = count_iterations();
        finish(statistics);
        return statistics;
    }

    SpreadStatistics run_spreads(u32 columns) {
        SpreadStatistics result;
        result.iterations = count_iterations();
        result.per_column = std::max<u64>(1, (result.iterations + columns - 1) / columns);
        SpreadTable spreads(sampler_.rows(), table_, result.per_column);
        agree(comm_, [&] { sampler_.pass(locations_, spreads); });
        spreads.reduce(comm_, fanout_);
        finish(result);
        std::vector<CallSpread> all = spreads.take_spreads();
        all.resize(sampler_.rows().size());
        result.spreads.reserve(order_.size());
        for (const u32 row : order_) result.spreads.push_back(std::move(all[row]));
        return result;
    }

  private:
    u64 count_iterations() { return most_iterations(comm_, sampler_.iterations(), locations_); }

    void finish(Statistics& statistics) {
        table_.reduce(comm_, fanout_);
        statistics.timing = file_.summary().timing;
        statistics.rate = file_.definitions().tick_rate();
        statistics.locations = sum_over(comm_, locations_.size());
        statistics.backwards = sum_over(comm_, sampler_.backwards());
        statistics.unknown_sizes = sum_over(comm_, sampler_.unknown_sizes());
        statistics.has_iterations = request_.iterations && !sampler_.is_folded();
        on_first(comm_, [&] {
            fill_rows(statistics);
            std::vector<bool> selected(file_.location_count(), false);
            for (const u32 location : sampler_.locations(0, 1)) selected[location] = true;
            statistics.nesting = file_.nesting().counts(selected);
            statistics.samples = sample_origins(file_, selected);
        });
    }

    void fill_rows(Statistics& statistics) {
        const RowTree& rows = sampler_.rows();
        std::vector<Figures> figures = table_.take_figures();
        figures.resize(rows.size());
        std::vector<LogHistogram> durations(rows.size());
        if (knows_durations(file_, request_)) durations = sampler_.durations();
        order_ = RowOrder(rows, figures, durations).sorted();
        statistics.rows.reserve(order_.size());
        const ParticipantNames names(file_.definitions());
        for (const u32 row : order_) {
            const u32 overflows_at = figures[row].overflows_at();
            statistics.rows.push_back(
                {rows.path(row), rows[row].mpi, std::move(figures[row]), std::move(durations[row]),
                 overflows_at == kNone ? std::string() : names.label(overflows_at)});
        }
    }

    Communicator& comm_;
    TraceFile& file_;
    const SampleRequest& request_;
    int fanout_;
    Sampler sampler_;
    FigureTable table_;
    std::vector<u32> locations_;
    std::vector<u32> order_;  ///< tree numbers of the result's rows
};

}  // namespace

Statistics collect_statistics(Communicator& comm, TraceFile& file, const SampleRequest& request,
                              int fanout) {
    return StatisticsCollector(comm, file, request, fanout).run();
}

SpreadStatistics collect_spreads(Communicator& comm, TraceFile& file, const SampleRequest& request,
                                 u32 columns, int fanout) {
    return StatisticsCollector(comm, file, request, fanout).run_spreads(columns);
}

}  // namespace tracefold
