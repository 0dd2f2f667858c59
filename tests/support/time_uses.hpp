// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "questions/structure/symbol_uses.hpp"

#include <array>

namespace tracefold::testing {

/// Ticks by use.
using TimeUses = std::array<u64, kTimeUses>;

inline u64 ticks_of(const TimeUses& uses, TimeUse use) {
    return uses[static_cast<std::size_t>(use)];
}

/// What a location spends its time on, by its own clock, from its first record to its last.
/// `sink(begin, end, use)` sees each stretch of time as well.
template <class Sink>
TimeUses time_uses(TraceFile& file, u32 location, Sink&& sink) {
    const RegionUses regions(file);
    SymbolUses symbols(file, regions, location);
    UseTracker tracker(is_worker(file, location), symbols.on_stream());
    TimeUses ticks{};
    const auto spend = [&](u64 begin, u64 end, TimeUse use) {
        ticks[static_cast<std::size_t>(use)] += end - begin;
        sink(begin, end, use);
    };
    CallReader calls(file, location);
    while (calls.next()) {
        const RecordSpan records = calls.records();
        const SymbolUse& use = symbols.of(calls);
        tracker.take(use, {records[0].time, records[records.size() - 1].time},
                     step_offsets(use, records), spend);
    }
    tracker.finish(spend);
    return ticks;
}

inline TimeUses time_uses(TraceFile& file, u32 location) {
    return time_uses(file, location, [](u64, u64, TimeUse) {});
}

}  // namespace tracefold::testing
