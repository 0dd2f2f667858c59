// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "profile/node_rows.hpp"
#include "stats/moments.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// Locations that are put together, such as those of a rank or of a node of the machine.
struct LocationGroups {
    std::vector<u32> of_location;
    u32 count = 0;
};

/// What locations are, each by a number below 8. Those of different kinds are not compared: the
/// mean of a function of threads is not one over streams of accelerators too, which never call it.
using LocationKinds = std::vector<u8>;

/// The values of a node over the locations: their moments, and their sums per group if asked for.
/// What is zero everywhere takes no memory.
class MetricSummary {
  public:
    /// The node's rows as they are now; moments are over the locations of the kinds that the node
    /// occurs on. `groups` may be null, `kinds` empty: all are alike.
    void take(const NodeRows& rows, u32 node, const LocationGroups* groups,
              const LocationKinds& kinds);

    /// Null: zero on all locations.
    [[nodiscard]] const Moments* moments(ProfileMetric metric) const;
    /// Empty: zero in all groups, or not asked for.
    [[nodiscard]] std::span<const u64> groups(ProfileMetric metric) const;
    [[nodiscard]] bool empty() const { return mask_ == 0; }

    static void each_field(auto& self, auto& visit) {
        visit(self.mask_, self.moments_, self.groups_);
    }

    bool operator==(const MetricSummary&) const = default;

  private:
    void add(ProfileMetric metric, std::span<const u64> values, const LocationGroups* groups,
             const LocationKinds& kinds);
    [[nodiscard]] std::size_t place(ProfileMetric metric) const;

    u16 mask_ = 0;  ///< by metric
    std::vector<Moments> moments_;
    std::vector<u64> groups_;  ///< by metric of the mask, by group
};

/// Exclusive: what happened in the node itself. Inclusive: in all that it called, too.
struct NodeSummary {
    MetricSummary exclusive;
    MetricSummary inclusive;

    static void each_field(auto& self, auto& visit) { visit(self.exclusive, self.inclusive); }
    bool operator==(const NodeSummary&) const = default;
};

}  // namespace tracefold
