// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/record_losses.hpp"

#include "query/record_counts.hpp"

#include <algorithm>

namespace tracefold::inline exporters {

namespace {

constexpr std::string_view kRecords = " records";

}  // namespace

void count_dropped_records(TraceFile& file, const KeptRecords& kept, ExportReport& report) {
    ExecutionCounts executions(file.index());
    const std::vector<u64> counts = record_counts(file.structure(), executions);
    for (std::size_t type = 0; type < counts.size(); ++type) {
        const std::string_view name = event_info(static_cast<EventType>(type)).name;
        report.count(Fate::dropped, std::string(name).append(kRecords),
                     counts[type] - std::min(kept.of(type), counts[type]));
    }
    report.count(Fate::dropped, "records of types unknown to OTF2",
                 file.summary().dropped_unknown_records);
}

}  // namespace tracefold::inline exporters
