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

/// Statistics of a trace by function, call path or loop.
struct Statistics {
    struct Row {
        std::vector<std::string> path;  ///< names; of functions and loops one
        bool mpi = false;               ///< a function of MPI
        Figures figures;
        /// At timing level histogram: durations of the calls, in ticks.
        LogHistogram durations;
        std::string overflows_at = {};  ///< label of the first location with a sum beyond 64 bits

        [[nodiscard]] const std::string& name() const { return path.back(); }
    };

    /// Below each path those that begin with it; beside each other those with more time first, then
    /// with more calls, then by name.
    std::vector<Row> rows;
    TimingLevel timing = TimingLevel::none;
    TickRate rate;
    u64 locations = 0;   ///< that were looked at
    u64 iterations = 0;  ///< of the chosen loop, of the location that has most
    u64 backwards = 0;   ///< calls that ended before they began and so have no time
    /// Reads and writes whose size is not recorded: they are in no figure of bytes.
    u64 unknown_sizes = 0;
    bool has_iterations = false;
    NestingCounts nesting;  ///< of these locations
    SampleOrigins samples;  ///< the same
};

/// Each process looks at its block of locations; what they find is united along a tree of the given
/// fan-out. Complete on process 0, where it is the same for every number of processes and every
/// fan-out. Collective; throws the same Error on all processes: corrupt, unsupported. Memory: about
/// 1 kB per row. Cost: that of Sampler::pass() for the block.
Statistics collect_statistics(Communicator& comm, TraceFile& file, const SampleRequest& request,
                              int fanout = 2);

/// Statistics with the spread of every row.
struct SpreadStatistics : Statistics {
    std::vector<CallSpread> spreads;  ///< by row
    u64 per_column = 1;               ///< iterations of a column of CallSpread::steps
};

/// The same, and in the same walk how long calls take and how that changes from step to step, in at
/// most `columns` columns of iterations. Precondition: request.rows is by call.
SpreadStatistics collect_spreads(Communicator& comm, TraceFile& file, const SampleRequest& request,
                                 u32 columns, int fanout = 2);

}  // namespace tracefold
