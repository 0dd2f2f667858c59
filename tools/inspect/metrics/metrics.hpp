// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "profile/metric_profile.hpp"

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace tracefold {

/// The metrics of a trace as a command shows them.
struct MetricsView {
    struct Row {
        MetricRow values;
        std::string place;  ///< a location or call path; empty: all together, or in no region
    };

    std::string file;
    std::string by;  ///< "location", "path", or empty: all together
    std::vector<MetricMember> members;
    std::vector<Row> rows;  ///< by member, then by place
};

/// Those of `entries` whose metric is wanted; `place` names what an entry belongs to by a number,
/// and `name` this number.
std::vector<MetricsView::Row> rows_of_metrics(const std::vector<MetricEntry>& entries,
                                              const std::function<u32(const MetricEntry&)>& place,
                                              const std::function<std::string(u32)>& name);

/// Numbers in the units of the metrics.
void print_metrics(const MetricsView& view, Console& console);
/// Numbers as recorded, with all digits.
void write_metrics_csv(const MetricsView& view, std::ostream& out);
void write_metrics_json(const MetricsView& view, Console& console);

/// "1.25 M", "0.0031": a number in the unit of a metric.
std::string metric_text(double number);

}  // namespace tracefold
