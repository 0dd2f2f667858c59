// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "base/log_histogram.hpp"
#include "file/region_nesting.hpp"
#include "file/sample_origins.hpp"
#include "model/archive_info.hpp"
#include "questions/stats/detail/figures.hpp"
#include "questions/stats/detail/sampler.hpp"
#include "questions/stats/row_tree.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// Distribution of the call times of one row, overall and by step; in ticks.
struct CallSpread {
    LogHistogram calls;
    /// Time of each location per iteration, by column of iterations.
    std::vector<LogHistogram> steps;
    bool has_steps = true;  ///< false beyond SpreadTable::kMostColumns: `steps` is empty
};

/// Counts call times in logarithmic bins, which need no known bounds, and passes all samples on:
/// one walk serves figures and histograms. Memory: about 2 kB per row and per column of iterations.
class SpreadTable : public SampleSink {
  public:
    static constexpr std::size_t kMostColumns = 9600;  ///< of iterations, of all rows

    /// `per_column`: iterations per column. The references must outlive this object.
    SpreadTable(RowTree& rows, SampleSink& next, u64 per_column)
        : rows_(rows), next_(next), per_column_(per_column) {}

    void add(const Sample& sample) override;

    /// By row; rows past the end have none. Moves them out of the table.
    [[nodiscard]] std::vector<CallSpread> take_spreads() { return std::move(spreads_); }

    /// Merges the rows and counts of all processes on process 0. Collective.
    void reduce(Communicator& comm, int fanout);

  private:
    RowTree& rows_;
    SampleSink& next_;
    u64 per_column_;
    std::size_t columns_ = 0;
    std::vector<CallSpread> spreads_;
};

/// Statistics of a trace by function, call path or loop.
struct Statistics {
    struct Row {
        std::vector<std::string> path;  ///< names; a single one for functions and loops
        bool mpi = false;               ///< a function of MPI
        Figures figures;
        /// At timing level histogram: durations of the calls, in ticks.
        LogHistogram durations;
        std::string overflows_at = {};  ///< label of the first location with a sum beyond 64 bits

        [[nodiscard]] const std::string& name() const { return path.back(); }
    };

    /// In depth-first order; siblings by descending time, then descending calls, then name.
    std::vector<Row> rows;
    TimingLevel timing = TimingLevel::none;
    TickRate rate;
    u64 locations = 0;   ///< examined locations
    u64 iterations = 0;  ///< of the chosen loop, maximum over locations
    u64 backwards = 0;   ///< calls that end before they begin: they have no time
    /// Reads and writes without a recorded size, which are in no sum of bytes.
    u64 unknown_sizes = 0;
    bool has_iterations = false;
    NestingCounts nesting;  ///< over the examined locations
    SampleOrigins samples;  ///< of the examined locations
};

/// Collects statistics. Each process handles its block of locations; results are merged along a
/// tree of the given fan-out. Complete on process 0, independent of the number of processes and the
/// fan-out. Collective; throws the same Error on all processes: corrupt, unsupported. Memory: about
/// 1 kB per row. Cost: Sampler::pass() for the block.
Statistics collect_statistics(Communicator& comm, TraceFile& file, const SampleRequest& request,
                              int fanout = 2);

/// Statistics with the spread of every row.
struct SpreadStatistics : Statistics {
    std::vector<CallSpread> spreads;  ///< by row
    u64 per_column = 1;               ///< iterations per column of CallSpread::steps
};

/// Collects statistics and, in the same walk, the distribution of call times overall and by step,
/// in at most `columns` columns of iterations. Precondition: request.rows is by call. Collective;
/// errors as for collect_statistics().
SpreadStatistics collect_spreads(Communicator& comm, TraceFile& file, const SampleRequest& request,
                                 u32 columns, int fanout = 2);

}  // namespace tracefold
