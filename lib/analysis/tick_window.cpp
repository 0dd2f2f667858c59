// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/tick_window.hpp"

#include "trace/call_reader.hpp"

#include <algorithm>
#include <limits>

namespace tracefold {

TickWindow recorded_window(TraceFile& file, const CommonClock& clock,
                           const std::vector<u32>& locations) {
    TickWindow window{std::numeric_limits<u64>::max(), 0};
    for (const u32 location : locations) {
        CallReader calls(file, location);
        while (calls.next()) {
            const RecordSpan records = calls.records();
            const u64 begin = clock.since_start(location, records[0].time);
            const u64 end = clock.since_start(location, records[records.size() - 1].time);
            window.begin = std::min(window.begin, begin);
            window.end = std::max(window.end, end);
        }
    }
    return window.begin <= window.end ? window : TickWindow{};
}

}  // namespace tracefold
