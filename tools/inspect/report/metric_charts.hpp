// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/metric_series.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace tracefold {

/// One chart below the other: the mean as a line, around it the least and the greatest value of a
/// location. `left` and `width`: where the time begins and how far it reaches.
void draw_metrics(std::ostream& out, const std::vector<MetricSeries>& all,
                  const MetricCatalogue& catalogue, double left, double width);

/// A line per metric and column.
std::string series_csv(const std::vector<MetricSeries>& all, const MetricCatalogue& catalogue,
                       double seconds_per_column);

}  // namespace tracefold
