// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/tick_window.hpp"

#include "trace/call_reader.hpp"

#include <algorithm>
#include <limits>

namespace tracefold {

TickWindow recorded_window(TraceFile& file, const std::vector<u32>& locations) {
    TickWindow window{std::numeric_limits<u64>::max(), 0};
    for (const u32 location : locations) {
        CallReader calls(file, location);
        while (calls.next()) {
            const RecordSpan records = calls.records();
            window.begin = std::min(window.begin, records[0].time);
            window.end = std::max(window.end, records[records.size() - 1].time);
        }
    }
    return window.begin <= window.end ? window : TickWindow{};
}

}  // namespace tracefold
