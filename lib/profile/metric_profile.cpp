// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/metric_profile.hpp"

#include "io/value_bytes.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace tracefold::inline profile {

std::vector<MetricEntry> gather_metrics(Communicator& comm, const std::vector<MetricEntry>& mine) {
    ByteWriter out;
    ValueWriter write(out);
    write(mine);
    std::vector<MetricEntry> all;
    for (const std::string& part : comm.gather(out.bytes(), 0)) {
        ByteReader in(part, "the metrics of a process");
        std::vector<MetricEntry> entries;
        ValueReader read(in);
        read(entries);
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

}  // namespace tracefold::inline profile
