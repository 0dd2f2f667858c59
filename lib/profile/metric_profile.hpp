// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/communicator.hpp"
#include "profile/call_tree.hpp"
#include "profile/metric_tally.hpp"
#include "query/metric_catalogue.hpp"

#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

namespace tracefold {

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

}  // namespace tracefold
