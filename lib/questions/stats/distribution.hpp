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

/// Cuts the numbers from a smallest to a largest one, both included, into bins of equal width, in
/// integers: the same number is in the same bin on every machine.
class LinearBins {
  public:
    LinearBins() = default;
    /// At most `most` bins; fewer if there are fewer numbers. Preconditions: min <= max, most > 0.
    LinearBins(u64 min, u64 max, u32 most)
        : min_(min),
          max_(max),
          range_(static_cast<u128>(max - min) + 1),
          count_(static_cast<u32>(std::min<u128>(range_, most))) {}

    [[nodiscard]] u32 count() const { return count_; }
    [[nodiscard]] u64 min() const { return min_; }
    [[nodiscard]] u64 max() const { return max_; }

    /// Precondition: min() <= value <= max().
    [[nodiscard]] u32 of(u64 value) const {
        return static_cast<u32>(static_cast<u128>(value - min_) * count_ / range_);
    }
    /// The smallest and the largest number of a bin.
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

/// Which distribution is wanted.
struct DistributionRequest {
    SampleRequest samples;
    SampleScope over = SampleScope::calls;
    Quantity quantity = Quantity::time;
    u32 bins = 20;
    /// At most so many columns of iterations; 0: all samples in one column. Consecutive iterations
    /// share a column where there are more. Columns are of samples over iterations.
    u32 columns = 0;
};

/// Histograms of all rows, with the same bins, and over time the same columns.
struct Distribution {
    struct Row {
        std::vector<std::string> path;
        Moments moments;          ///< of the samples
        std::vector<u64> counts;  ///< by column, then bin
        LogHistogram durations;   ///< of logarithmic bins, then there are no others
    };

    SampleScope over{};
    Quantity quantity{};
    std::vector<Row> rows;  ///< those without samples are left out
    LinearBins bins;
    u32 columns = 1;
    u64 iterations = 0;  ///< of the location that has most
    u64 per_column = 1;  ///< iterations
    TimingLevel timing = TimingLevel::none;
    TickRate rate;
    u64 backwards = 0;  ///< calls without a time, since it ran backwards

    /// The first and the last iteration of a column. Precondition: samples are over iterations.
    [[nodiscard]] std::pair<u64, u64> iterations_of(u32 column) const {
        const u64 first = column * per_column;
        return {first, std::min(iterations, first + per_column) - 1};
    }
    [[nodiscard]] u64 at(const Row& row, u32 column, u32 bin) const {
        return row.counts[static_cast<std::size_t>(column) * bins.count() + bin];
    }
};

/// Three phases, as TAUoverMRNet has them: the smallest and largest sample go up the tree, the
/// bounds of the bins come down, the counts go up. Complete on process 0, where it is the same for
/// every number of processes and every fan-out. At timing level histogram the times of calls come
/// in the logarithmic bins of the file. Collective; throws the same Error on all processes: usage
/// (the file does not know such times; there is no such loop), corrupt, unsupported. Memory: rows x
/// columns x bins. Cost: unwinds the locations of the process twice, as far as Sampler::pass() has
/// to.
Distribution collect_distribution(Communicator& comm, TraceFile& file,
                                  const DistributionRequest& request, int fanout = 2);

/// Counts samples of one kind by row, column and bin. Columns are groups of consecutive iterations.
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
