// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "profile/call_tree.hpp"
#include "profile/profile_metric.hpp"
#include "query/metric_catalogue.hpp"
#include "trace/trace_file.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracefold {

/// A metric as Cube is told of it.
struct CubexMetric {
    std::string name;  ///< unique
    std::string title;
    std::string_view type;
    std::string unit;
    /// How Cube works it out from others, in its own language; empty: it is stored.
    std::string formula = {};
};

/// Of a profile, by ProfileMetric: time first after visits. Without times there is none of time.
std::vector<std::pair<ProfileMetric, CubexMetric>> cubex_metrics(bool with_times);

/// Of a metric of the trace: what is stored is its sum, and of an absolute one the number of its
/// values too, after which comes the mean as a formula.
std::vector<CubexMetric> cubex_metrics(const MetricMember& member, u32 number);

/// The text of anchor.xml: metrics, regions, call tree, and the system tree of the selected
/// locations, which are numbered as they are selected. Throws Error(corrupt).
std::string cubex_anchor(TraceFile& file, const CallTree& tree, const std::vector<bool>& selected,
                         const std::vector<CubexMetric>& metrics);

}  // namespace tracefold
