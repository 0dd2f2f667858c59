// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/metric_profile.hpp"

#include "io/value_bytes.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

struct Growth {
    ValueType type;
    u64 bits;
};

/// Counters of whole numbers that were set back have grown by a negative number.
Growth growth(ValueType type, u64 before, u64 now) {
    if (is_real(type)) {
        const double grown = real_value(type, now) - real_value(type, before);
        return {ValueType::real64, std::bit_cast<u64>(grown)};
    }
    return {ValueType::signed64, now - before};
}

}  // namespace

void MetricCollector::add(u32 node, std::span<const u64> fields, const MappingTables& tables) {
    catalogue_.for_each(fields, tables, [&](u32 member, ValueType type, u64 bits) {
        if (catalogue_.members()[member].mode != MetricMode::accumulated) {
            tally(member, node, type, bits);
            return;
        }
        Last& last = last_[member];
        if (last.known) {
            const Growth grown = growth(type, last.bits, bits);
            tally(member, node, grown.type, grown.bits);
        }
        last = {bits, true};
    });
}

void MetricCollector::tally(u32 member, u32 node, ValueType type, u64 bits) {
    const u64 key = u64{node} << 32U | member;
    const auto [found, fresh] = places_.try_emplace(key, static_cast<u32>(entries_.size()));
    if (fresh) entries_.push_back({member, node, location_, {}});
    entries_[found->second].tally.add(type, bits);
}

std::vector<MetricEntry> gather_metrics(Communicator& comm, const std::vector<MetricEntry>& mine) {
    std::vector<MetricEntry> all;
    for (const std::string& part : comm.gather(to_bytes(mine), 0)) {
        auto entries = from_bytes<std::vector<MetricEntry>>(part, "the metrics of a process");
        std::move(entries.begin(), entries.end(), std::back_inserter(all));
    }
    std::sort(all.begin(), all.end(), [](const MetricEntry& a, const MetricEntry& b) {
        return std::tie(a.member, a.location, a.node) < std::tie(b.member, b.location, b.node);
    });
    return all;
}

std::vector<MetricRow> metric_rows(const std::vector<MetricEntry>& entries,
                                   const std::function<u32(const MetricEntry&)>& place) {
    struct Row {
        MetricTally tally;
        std::set<u32> locations;
    };
    std::map<std::pair<u32, u32>, Row> rows;
    for (const MetricEntry& entry : entries) {
        Row& row = rows[{entry.member, place(entry)}];
        row.tally.merge(entry.tally);
        row.locations.insert(entry.location);
    }
    std::vector<MetricRow> result;
    for (const auto& [key, row] : rows) {
        result.push_back(
            {key.first, key.second, static_cast<u32>(row.locations.size()), row.tally});
    }
    return result;
}

}  // namespace tracefold
