// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/table_sink.hpp"
#include "profile/trace_profile.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace tracefold {

/// One metric of one node in the units of people: seconds for time, else its own.
struct MetricFigures {
    double sum = 0;
    double min = 0;
    double max = 0;
    double mean = 0;
    double deviation = 0;
};
MetricFigures figures(const TraceProfile& profile, u32 node, ProfileMetric metric, bool inclusive);

/// Seconds for time, else the number as it is.
double in_units(const TraceProfile& profile, ProfileMetric metric, double value);

/// Nodes of the tree down to a level, depth first; kNone: all.
std::vector<u32> nodes_down_to(const TraceProfile& profile, u32 depth);

/// One row per call path and metric: moments over the locations.
void put_profile(const TraceProfile& profile, std::span<const u32> nodes, TableSink& table);

/// One row per call path, group of locations and metric; `group` is what the column is called.
void put_profile_by(const TraceProfile& profile, std::span<const u32> nodes, std::string_view group,
                    TableSink& table);

}  // namespace tracefold
