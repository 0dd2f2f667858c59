// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "trace/common_clock.hpp"

#include "trace/call_reader.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

std::optional<u64> first_time(TraceFile& file, u32 location) {
    if (file.index().script(Stream::events, location) == kNone) return std::nullopt;
    CallReader calls(file, location);
    if (!calls.next()) return std::nullopt;
    return calls.records()[0].time;
}

}  // namespace

CommonClock::CommonClock(TraceFile& file, std::vector<u32> owners, std::vector<ClockMap> maps)
    : owners_(std::move(owners)), maps_(std::move(maps)) {
    constexpr u64 kNever = ~u64{0};
    start_ = kNever;
    const bool has_times = file.summary().timing != TimingLevel::none;
    for (u32 location = 0; location < file.location_count(); ++location) {
        const auto first = has_times ? first_time(file, location) : std::nullopt;
        if (first) start_ = std::min(start_, map(location).common(*first));
    }
    if (start_ == kNever) start_ = file.definitions().clock_offset();
}

}  // namespace tracefold
