// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/stream_report.hpp"

#include "exporters/record_losses.hpp"

namespace tracefold::inline exporters {

void finish_report(TraceFile& file, const CallFates& fates, ExportReport& report) {
    fates.for_each([&report](Fate fate, std::string_view function, u64 calls) {
        report.count(fate, function, calls);
    });
    KeptRecords kept;
    kept.add_all(kMessageRecords);
    kept.add_calls(fates.calls_with_region());
    count_dropped_records(file, kept, report);
}

}  // namespace tracefold::inline exporters
