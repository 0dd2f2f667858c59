// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/communicator.hpp"
#include "core/log_histogram.hpp"
#include "model/trace_summary.hpp"
#include "stats/linear_bins.hpp"
#include "stats/moments.hpp"
#include "stats/sampler.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

/// Which distribution is wanted.
struct DistributionRequest {
    SampleRequest samples;
    Over over = Over::calls;
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

    Over over{};
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

}  // namespace tracefold
