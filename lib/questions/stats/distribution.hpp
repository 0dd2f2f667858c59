// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "base/log_histogram.hpp"
#include "base/types.hpp"
#include "model/archive_info.hpp"
#include "questions/stats/detail/figures.hpp"
#include "questions/stats/detail/sampler.hpp"
#include "questions/stats/moments.hpp"
#include "questions/stats/row_tree.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

/// Divides an inclusive range into bins of equal width by integer arithmetic: all machines assign a
/// number to the same bin.
class LinearBins {
  public:
    LinearBins() = default;
    /// At most `most` bins; fewer for fewer numbers. Preconditions: min <= max, most > 0.
    LinearBins(u64 min, u64 max, u32 most)
        : min_(min),
          max_(max),
          range_(static_cast<u128>(max - min) + 1),
          count_(static_cast<u32>(std::min<u128>(range_, most))) {}

    [[nodiscard]] u32 count() const { return count_; }
    [[nodiscard]] u64 min() const { return min_; }
    [[nodiscard]] u64 max() const { return max_; }

    /// The bin of a value. Precondition: min() <= value <= max().
    [[nodiscard]] u32 of(u64 value) const {
        return static_cast<u32>(static_cast<u128>(value - min_) * count_ / range_);
    }
    /// Smallest and largest number of a bin.
    [[nodiscard]] u64 first(u32 bin) const {
        return min_ + static_cast<u64>((range_ * bin + count_ - 1) / count_);
    }
    [[nodiscard]] u64 last(u32 bin) const { return bin + 1 == count_ ? max_ : first(bin + 1) - 1; }

    bool operator==(const LinearBins&) const = default;

  private:
    u64 min_ = 0;
    u64 max_ = 0;
    u128 range_ = 0;
    u32 count_ = 0;
};

/// Selects a distribution.
struct DistributionRequest {
    SampleRequest samples;
    SampleScope over = SampleScope::calls;
    Quantity quantity = Quantity::time;
    u32 bins = 20;
    /// Maximum number of columns of iterations, each with consecutive ones; 0: all samples in one
    /// column. Columns require samples over iterations.
    u32 columns = 0;
};

/// Histograms of all rows with common bins and columns.
struct Distribution {
    struct Row {
        std::vector<std::string> path;
        Moments moments;          ///< of the samples
        std::vector<u64> counts;  ///< by column, then bin
        LogHistogram durations;   ///< logarithmic bins; if set, `counts` is empty
    };

    SampleScope over{};
    Quantity quantity{};
    std::vector<Row> rows;  ///< rows with samples
    LinearBins bins;
    u32 columns = 1;
    u64 iterations = 0;  ///< maximum over locations
    u64 per_column = 1;  ///< iterations
    TimingLevel timing = TimingLevel::none;
    TickRate rate;
    u64 backwards = 0;  ///< calls without a time: the clock ran backwards

    /// First and last iteration of a column. Precondition: samples are over iterations.
    [[nodiscard]] std::pair<u64, u64> iterations_of(u32 column) const {
        const u64 first = column * per_column;
        return {first, std::min(iterations, first + per_column) - 1};
    }
    [[nodiscard]] u64 at(const Row& row, u32 column, u32 bin) const {
        return row.counts[static_cast<std::size_t>(column) * bins.count() + bin];
    }
};

/// Collects a distribution in three phases, as TAUoverMRNet: reduce the extremes, broadcast the
/// bins, reduce the counts. Complete on process 0, independent of the number of processes and the
/// fan-out. At timing level histogram, times of calls have the logarithmic bins of the file.
/// Collective; throws the same Error on all processes: usage (the file lacks such times; no such
/// loop), corrupt, unsupported. Memory: rows x columns x bins. Cost: Sampler::pass() twice over the
/// locations of the process.
Distribution collect_distribution(Communicator& comm, TraceFile& file,
                                  const DistributionRequest& request, int fanout = 2);

/// Counts samples of one kind by row, column (consecutive iterations) and bin.
class BinTable : public SampleSink {
  public:
    struct Layout {
        SampleScope over{};
        Quantity quantity{};
        LinearBins bins;
        u32 columns = 1;
        u64 per_column = 1;  ///< iterations

        [[nodiscard]] std::size_t cells() const {
            return static_cast<std::size_t>(columns) * bins.count();
        }
    };

    BinTable(RowTree& rows, const Layout& layout) : rows_(rows), layout_(layout) {}

    /// Throws Error(corrupt) for a sample outside of the layout of the first pass.
    void add(const Sample& sample) override;

    /// By row, then column, then bin; rows without samples are empty or past the end.
    [[nodiscard]] const std::vector<std::vector<u64>>& counts() const { return counts_; }

    /// Merges the rows and counts of all processes on process 0. Collective.
    void reduce(Communicator& comm, int fanout);

  private:
    [[nodiscard]] std::vector<u64>& cells(u32 row);

    RowTree& rows_;
    Layout layout_;
    std::vector<std::vector<u64>> counts_;
};

}  // namespace tracefold
