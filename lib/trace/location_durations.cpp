// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "trace/location_durations.hpp"

#include "trace/call_reader.hpp"
#include "trace/duration_collector.hpp"

#include <utility>

namespace tracefold::inline trace {

TimingModel durations_of_location(TraceFile& file, u32 location) {
    DurationCollector collector;
    for (const Symbol& symbol : file.structure().symbols) {
        collector.add_symbol(symbol.elements.size());
    }
    CallReader calls(file, location);
    u64 last = 0;
    while (calls.next()) {
        for (std::size_t i = 0; i < calls.records().size(); ++i) {
            const u64 time = calls.records()[i].time;
            collector.add({calls.symbol_id(), calls.element_number(i)},
                          time - std::exchange(last, time));
        }
    }
    return collector.finish(location);
}

}  // namespace tracefold::inline trace
