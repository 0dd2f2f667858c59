// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "profile/metric_tally.hpp"
#include "query/metric_catalogue.hpp"

#include <span>
#include <unordered_map>
#include <vector>

namespace tracefold::inline profile {

/// What a metric has in a call path of a location.
struct MetricEntry {
    u32 member = 0;  ///< of MetricCatalogue::members()
    u32 node = 0;    ///< kNone: in no region
    u32 location = 0;
    MetricTally tally;

    static void each_field(auto& self, auto& visit) {
        visit(self.member, self.node, self.location, self.tally);
    }
};

/// Tallies the metric records of one location by call path. What is tallied is, of an accumulated
/// metric, how much it grew since the record before (the first record only begins); of others, the
/// value. It belongs to the call path that is open when the record comes: recorders write a value
/// just before they enter or leave a region, at the end of what it tells about.
class MetricCollector {
  public:
    /// The catalogue must outlive the collector.
    MetricCollector(const MetricCatalogue& catalogue, u32 location)
        : catalogue_(catalogue), location_(location), last_(catalogue.members().size()) {}

    void add(u32 node, std::span<const u64> fields, const MappingTables& tables);

    /// In the order of their first records.
    [[nodiscard]] std::vector<MetricEntry>& entries() { return entries_; }

  private:
    struct Last {
        u64 bits = 0;
        bool known = false;
    };

    void tally(u32 member, u32 node, ValueType type, u64 bits);

    const MetricCatalogue& catalogue_;
    u32 location_;
    std::vector<Last> last_;               ///< by member
    std::unordered_map<u64, u32> places_;  ///< by node and member: in entries_
    std::vector<MetricEntry> entries_;
};

}  // namespace tracefold::inline profile
