// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/stats/distribution.hpp"

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "questions/stats/detail/figures.hpp"
#include "questions/stats/row_tree.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// Throws Error(usage) if the file lacks the requested times.
void check_times(const TraceFile& file, const DistributionRequest& request) {
    const TimingLevel timing = file.summary().timing;
    if (request.quantity != Quantity::time || keeps_every_time(timing)) return;
    if (request.over == SampleScope::calls && knows_durations(file, request.samples)) return;
    const std::string level(timing_name(timing));
    throw Error(ErrorKind::usage, "the file does not keep the times for this histogram (" + level +
                                      "); choose another --metric");
}

class DistributionCollector {
  public:
    DistributionCollector(Communicator& comm, TraceFile& file, const DistributionRequest& request,
                          int fanout)
        : comm_(comm),
          file_(file),
          request_(request),
          fanout_(fanout),
          sampler_(file, request.samples),
          table_(sampler_.rows()),
          locations_(sampler_.locations(comm.rank(), comm.size())) {}

    Distribution run() {
        result_.over = request_.over;
        result_.quantity = request_.quantity;
        result_.timing = file_.summary().timing;
        result_.rate = file_.definitions().tick_rate();
        find_bounds();
        if (result_.bins.count() == 0) {
            if (comm_.rank() == 0) take_durations();
            return std::move(result_);
        }
        lay_out_columns();
        BinTable counts(sampler_.rows(), {request_.over, request_.quantity, result_.bins,
                                          result_.columns, result_.per_column});
        agree(comm_, [&] { sampler_.pass(locations_, counts); });
        counts.reduce(comm_, fanout_);
        if (comm_.rank() == 0) fill_rows(counts);
        return std::move(result_);
    }

  private:
    /// Phases 1 and 2: reduce the extremes, broadcast the bounds.
    void find_bounds() {
        agree(comm_, [&] { sampler_.pass(locations_, table_); });
        result_.backwards = sum_over(comm_, sampler_.backwards());
        table_.reduce(comm_, fanout_);
        const std::string own = comm_.rank() == 0 ? to_bytes(all_samples()) : std::string();
        const auto all = from_bytes<Moments>(comm_.broadcast(own, 0), "the bounds of a histogram");
        if (!all.empty()) result_.bins = LinearBins(all.min(), all.max(), request_.bins);
    }

    [[nodiscard]] Moments all_samples() const {
        Moments all;
        for (const Figures& figures : table_.figures()) {
            all.merge(figures.of(request_.over, request_.quantity));
        }
        return all;
    }

    void lay_out_columns() {
        result_.iterations = most_iterations(comm_, sampler_.iterations(), locations_);
        if (request_.columns == 0) {
            // One column for all iterations.
            result_.per_column = ~u64{0};
            return;
        }
        result_.per_column = (result_.iterations + request_.columns - 1) / request_.columns;
        result_.columns =
            static_cast<u32>((result_.iterations + result_.per_column - 1) / result_.per_column);
    }

    void fill_rows(const BinTable& counts) {
        const RowTree& rows = sampler_.rows();
        for (u32 row = 1; row < counts.counts().size(); ++row) {
            if (counts.counts()[row].empty()) continue;
            result_.rows.push_back({rows.path(row),
                                    table_.figures()[row].of(request_.over, request_.quantity),
                                    counts.counts()[row],
                                    {}});
        }
        sort_rows();
    }

    /// Uses the durations of a file that stores no times.
    void take_durations() {
        if (request_.quantity != Quantity::time || !knows_durations(file_, request_.samples)) {
            return;
        }
        const std::vector<LogHistogram> durations = sampler_.durations();
        for (u32 row = 1; row < durations.size(); ++row) {
            if (durations[row].count() == 0) continue;
            result_.rows.push_back({sampler_.rows().path(row), {}, {}, durations[row]});
        }
        sort_rows();
    }

    void sort_rows() {
        std::sort(
            result_.rows.begin(), result_.rows.end(),
            [](const Distribution::Row& a, const Distribution::Row& b) { return a.path < b.path; });
    }

    Communicator& comm_;
    TraceFile& file_;
    const DistributionRequest& request_;
    int fanout_;
    Sampler sampler_;
    FigureTable table_;
    std::vector<u32> locations_;
    Distribution result_;
};

}  // namespace

Distribution collect_distribution(Communicator& comm, TraceFile& file,
                                  const DistributionRequest& request, int fanout) {
    check_times(file, request);
    return DistributionCollector(comm, file, request, fanout).run();
}

namespace {

/// Most cells are empty: writes the others with the distance to their predecessor.
void write_cells(const std::vector<u64>& cells, ByteWriter& out) {
    u64 used = 0;
    for (const u64 count : cells) used += count != 0 ? 1 : 0;
    out.put_varint(used);
    std::size_t last = 0;
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        if (cells[cell] == 0) continue;
        out.put_varint(cell - last);
        out.put_varint(cells[cell]);
        last = cell;
    }
}

}  // namespace

std::vector<u64>& BinTable::cells(u32 row) {
    if (row >= counts_.size()) counts_.resize(row + 1);
    if (counts_[row].empty()) counts_[row].resize(layout_.cells(), 0);
    return counts_[row];
}

void BinTable::add(const Sample& sample) {
    if (sample.over != layout_.over || sample.quantity != layout_.quantity) return;
    const u64 column = sample.iteration / layout_.per_column;
    if (column >= layout_.columns || sample.value < layout_.bins.min() ||
        sample.value > layout_.bins.max()) {
        throw Error(ErrorKind::corrupt, "a loop has more iterations than its counts add up to");
    }
    cells(sample.row)[column * layout_.bins.count() + layout_.bins.of(sample.value)] +=
        sample.times;
}

void BinTable::reduce(Communicator& comm, int fanout) {
    const auto merge = [size = layout_.cells()](std::vector<u64>& cells, ByteReader& in) {
        u64 cell = 0;
        for (u64 left = in.get_count(2); left > 0; --left) {
            cell += in.get_varint();
            if (cell >= size) in.fail("there is no such bin");
            cells.resize(size, 0);
            cells[cell] += in.get_varint();
        }
    };
    reduce_rows(comm, rows_, counts_, "histograms of another process", write_cells, merge, fanout);
}

}  // namespace tracefold
