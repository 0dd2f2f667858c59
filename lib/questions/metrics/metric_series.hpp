// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/metric_catalogue.hpp"
#include "questions/calls/tick_window.hpp"

#include <vector>

namespace tracefold {

/// A metric over time in equal columns, over all locations with values.
struct MetricSeries {
    /// Of an accumulated or relative metric: growth per second; of an absolute metric: its state,
    /// averaged over the column. In the unit of the metric.
    struct Column {
        double least = 0;
        double mean = 0;
        double most = 0;
        u32 locations = 0;  ///< with values; 0: unknown
    };

    u32 member = 0;  ///< index into MetricCatalogue::members()
    u32 locations = 0;
    std::vector<Column> columns;
};

/// Metrics with values in the window, in order of definition. Growth between two records is
/// distributed evenly over the interval; a state lasts until the next
/// record or, if defined so, since the preceding one. Cost: unwinds the
/// locations with metrics. Preconditions: as for recorded_window(); the window is not empty and
/// relative to the start of the clock; columns >= 1. Memory: metrics x columns, for the total and
/// for one location. Throws Error(corrupt).
std::vector<MetricSeries> metric_series(TraceFile& file, const CommonClock& clock,
                                        TickWindow window, std::size_t columns);

}  // namespace tracefold
