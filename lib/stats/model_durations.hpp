// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/log_histogram.hpp"
#include "stats/sampler.hpp"

#include <vector>

namespace tracefold::inline stats {

/// True if the file keeps durations of functions that belong to the request: those of timing level
/// histogram are of all locations together, and of functions only.
bool knows_durations(const TraceFile& file, const SampleRequest& request);

/// The durations of calls that a file of timing level histogram keeps, in ticks, by row of the
/// sampler's tree; none of regions that hold other calls. Count, sum and extremes are exact, the
/// rest as good as the buckets. Cost: the symbols. Precondition: knows_durations().
std::vector<LogHistogram> durations_by_row(TraceFile& file, Sampler& sampler,
                                           const RowRequest& request);

}  // namespace tracefold::inline stats
