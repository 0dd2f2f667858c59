// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/metric_catalogue.hpp"
#include "questions/calls/tick_window.hpp"

#include <vector>

namespace tracefold {

/// A metric over time, in equal columns, of the locations that have values of it taken together.
struct MetricSeries {
    /// Of an accumulated or relative metric: its growth in the column, per second; of an absolute
    /// one: its state, where it changes the mean of its values. In the unit of the metric.
    struct Column {
        double least = 0;
        double mean = 0;
        double most = 0;
        u32 locations = 0;  ///< that tell it; 0: nothing is known
    };

    u32 member = 0;  ///< of MetricCatalogue::members()
    u32 locations = 0;
    std::vector<Column> columns;
};

/// Those with values in the window, in the order of their definitions. Growth between two records
/// is shared out evenly over the time between them; a state lasts until the next record. Cost:
/// unwinds the locations that have metrics. Preconditions: as for recorded_window(); the window
/// is not empty and counts from the start of the clock, columns is at least 1. Memory: metrics x
/// columns, once for all locations and once for one. Throws Error(corrupt).
std::vector<MetricSeries> metric_series(TraceFile& file, const CommonClock& clock,
                                        TickWindow window, std::size_t columns);

}  // namespace tracefold
