// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scaling/event_clock.hpp"

#include <algorithm>

namespace tracefold::inline scaling {

EventClock::EventClock(const std::vector<PlaceTimes>& times, u32 ranks, double ticks_per_second,
                       u64 start)
    : times_(times), ticks_(static_cast<double>(start)) {
    const auto ticks = [&](const Growth& growth) {
        return std::max(evaluate(growth, ranks), 0.0) * ticks_per_second;
    };
    for (const PlaceTimes& place : times) {
        means_.push_back({ticks(place.before), ticks(place.within)});
    }
}

void EventClock::stamp(RecordBatch& batch, std::size_t first, std::span<const u32> elements,
                       u32 place) {
    if (means_.empty()) {
        for (std::size_t i = first; i < batch.size(); ++i) batch.set_time(i, now()), ++ticks_;
        return;
    }
    const Mean& mean = means_[place];
    const std::vector<double>& shares = times_[place].shares;
    ticks_ += mean.before;
    for (std::size_t i = 0; i < elements.size(); ++i) {
        // The time up to several records of an element passes before the first of them.
        const bool begins = i == 0 || elements[i] != elements[i - 1];
        if (begins) ticks_ += mean.within * shares[elements[i]];
        batch.set_time(first + i, now());
    }
}

}  // namespace tracefold::inline scaling
