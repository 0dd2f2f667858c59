// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/communicator.hpp"
#include "profile/call_tree.hpp"
#include "profile/metric_collector.hpp"

#include <functional>
#include <vector>

namespace tracefold::inline profile {

/// The entries of all processes on process 0, by member, location and node. Collective.
std::vector<MetricEntry> gather_metrics(Communicator& comm, const std::vector<MetricEntry>& mine);

/// What a metric has in several entries taken together.
struct MetricRow {
    u32 member = 0;
    u32 place = 0;  ///< a node or a location
    u32 locations = 0;
    MetricTally tally;
};

/// Rows by member and by what `place` gives of an entry, both rising.
std::vector<MetricRow> metric_rows(const std::vector<MetricEntry>& entries,
                                   const std::function<u32(const MetricEntry&)>& place);

}  // namespace tracefold::inline profile
