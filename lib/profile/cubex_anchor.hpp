// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "profile/call_tree.hpp"
#include "profile/profile_metric.hpp"
#include "trace/trace_file.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// A metric as Cube is told of it.
struct CubexMetric {
    ProfileMetric metric{};
    std::string_view title;
    std::string_view type;
    std::string_view unit;
};

/// In the order of their numbers. Without times there is none of time.
std::vector<CubexMetric> cubex_metrics(bool with_times);

/// The text of anchor.xml: metrics, regions, call tree, and the system tree of the selected
/// locations, which are numbered as they are selected. Throws Error(corrupt).
std::string cubex_anchor(TraceFile& file, const CallTree& tree, const std::vector<bool>& selected,
                         const std::vector<CubexMetric>& metrics);

}  // namespace tracefold
