// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/common_clock.hpp"

#include "base/types.hpp"
#include "file/call_reader.hpp"
#include "model/definition_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

__extension__ using i128 = __int128;

std::vector<ClockMap::Offset> offsets_of(TraceFile& file, u32 location) {
    std::vector<ClockMap::Offset> offsets;
    for_each_record(*file.local_definitions(location), [&](const auto& head, auto values) {
        if (head.type != static_cast<u8>(DefinitionType::ClockOffset)) return;
        offsets.push_back({values[0], static_cast<i64>(values[1])});
    });
    return offsets;
}

/// rise * past / span, truncated. Divides 64-bit numbers where possible, which is much faster;
/// products beyond 128 bits, which no clock reaches, wrap.
i128 scaled(i128 rise, i128 past, u64 span) {
    const auto product = static_cast<i128>(static_cast<u128>(rise) * static_cast<u128>(past));
    const auto narrow = static_cast<i64>(product);
    const bool fits = narrow == product && span <= static_cast<u64>(INT64_MAX);
    return fits ? narrow / static_cast<i64>(span) : product / static_cast<i128>(span);
}

}  // namespace

ClockMap::ClockMap(TraceFile& file, u32 location) : ClockMap(offsets_of(file, location)) {}

ClockMap::ClockMap(std::vector<Offset> offsets) : offsets_(std::move(offsets)) {
    const auto earlier = [](const Offset& a, const Offset& b) { return a.time < b.time; };
    std::stable_sort(offsets_.begin(), offsets_.end(), earlier);
    const auto same = [](const Offset& a, const Offset& b) { return a.time == b.time; };
    offsets_.erase(std::unique(offsets_.begin(), offsets_.end(), same), offsets_.end());
}

bool ClockMap::is_near(const ClockMap& other, u64 ticks) const {
    const auto agree = [&](const Offset& it) {
        const auto apart = static_cast<i64>(common(it.time) - other.common(it.time));
        return (apart < 0 ? 0 - static_cast<u64>(apart) : static_cast<u64>(apart)) <= ticks;
    };
    return std::ranges::all_of(offsets_, agree) && std::ranges::all_of(other.offsets_, agree);
}

double ClockMap::drift() const {
    double drift = 0;
    for (std::size_t i = 1; i < offsets_.size(); ++i) {
        const Offset& a = offsets_[i - 1];
        const Offset& b = offsets_[i];
        const double rise = static_cast<double>(b.offset) - static_cast<double>(a.offset);
        drift = std::max(drift, std::abs(rise) / static_cast<double>(b.time - a.time));
    }
    return drift;
}

u64 ClockMap::common(u64 time) const {
    if (offsets_.empty()) return time;
    if (offsets_.size() == 1) return time + static_cast<u64>(offsets_.front().offset);
    const auto later = std::upper_bound(offsets_.begin() + 1, offsets_.end() - 1, time,
                                        [](u64 t, const Offset& it) { return t < it.time; });
    const Offset& a = *(later - 1);
    const Offset& b = *later;
    const i128 past = static_cast<i128>(time) - static_cast<i128>(a.time);
    const i128 rise = static_cast<i128>(b.offset) - static_cast<i128>(a.offset);
    const i128 offset = a.offset + scaled(rise, past, b.time - a.time);
    return time + static_cast<u64>(static_cast<i64>(offset));
}

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
