// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/tick_window.hpp"

#include "analysis/node_clocks.hpp"
#include "core/error.hpp"
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

double run_seconds(TraceFile& file) {
    if (!keeps_every_time(file.summary().timing)) {
        throw Error(ErrorKind::usage,
                    "there are no times to select by: the file does not keep that of every record");
    }
    const CommonClock clock = common_clock(file);
    u64 length = 0;
    for (u32 location = 0; location < file.location_count(); ++location) {
        if (file.index().script(Stream::events, location) == kNone) continue;
        length = std::max(length, recorded_window(file, clock, {location}).end);
    }
    return file.definitions().tick_rate().seconds(length);
}

}  // namespace tracefold
