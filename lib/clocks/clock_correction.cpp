// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "clocks/clock_correction.hpp"

#include "core/wide_integer.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace tracefold {

namespace {

/// What is left of a correction some time after it was made.
u64 faded(u64 lift, u64 elapsed) {
    const u64 gone = elapsed / ClockCorrection::kSlope;
    return lift > gone ? lift - gone : 0;
}

}  // namespace

u64 ClockCorrection::jumped(u64 time) const {
    if (corners_.empty() || time < corners_.front().time) return 0;
    const auto next = std::upper_bound(corners_.begin(), corners_.end(), time,
                                       [](u64 t, const Corner& it) { return t < it.time; });
    const Corner& last = *(next - 1);
    return faded(last.lift, time - last.time);
}

/// Rounded down, so that no limit is passed, and rising times stay in order.
u64 ClockCorrection::on_line(const Corner& a, const Corner& b, u64 time) {
    const u128 length = b.time - a.time;
    const u128 past = time - a.time;
    if (b.lift >= a.lift) return a.lift + static_cast<u64>((b.lift - a.lift) * past / length);
    return a.lift - static_cast<u64>(((a.lift - b.lift) * past + length - 1) / length);
}

u64 ClockCorrection::on_rise(const Rise& rise, u64 time) {
    const auto next = std::upper_bound(rise.begin() + 1, rise.end() - 1, time,
                                       [](u64 t, const Corner& it) { return t < it.time; });
    return on_line(*(next - 1), *next, time);
}

std::size_t ClockCorrection::rise_at(u64 time) const {
    const auto next = std::upper_bound(rises_.begin(), rises_.end(), time,
                                       [](u64 t, const Rise& it) { return t < it.front().time; });
    if (next == rises_.begin() || time >= (next - 1)->back().time) return rises_.size();
    return static_cast<std::size_t>(next - rises_.begin()) - 1;
}

u64 ClockCorrection::corrected(u64 time) const {
    const std::size_t rise = rise_at(time);
    const u64 jump = jumped(time);
    return time + (rise == rises_.size() ? jump : std::max(jump, on_rise(rises_[rise], time)));
}

bool ClockCorrection::jump(u64 time, u64 least) {
    if (after_jumps(time) >= least) return false;
    const u64 lift = least - time;
    auto place = std::lower_bound(corners_.begin(), corners_.end(), time,
                                  [](const Corner& it, u64 t) { return it.time < t; });
    // Later ones that this one makes as well.
    auto end = place;
    while (end != corners_.end() && end->lift <= faded(lift, end->time - time)) ++end;
    place = corners_.erase(place, end);
    corners_.insert(place, {time, lift});
    return true;
}

/// Where the rise to a corner begins; `corner` becomes the first one that it passes over.
u64 ClockCorrection::begin_of_rise(std::size_t& corner) const {
    const Corner top = corners_[corner];
    const auto line = [&top](u64 time) { return faded(top.lift, top.time - time); };
    u64 high = top.time;
    while (corner > 0 && line(corners_[corner - 1].time) >= corners_[corner - 1].lift) {
        high = corners_[--corner].time;
    }
    u64 low = corner > 0 ? corners_[corner - 1].time
                         : top.time - std::min(top.time, kSlope * (top.lift + 1));
    // The line rises and what is left of the corner before falls.
    while (low < high) {
        const u64 middle = low + (high - low) / 2;
        if (line(middle) > jumped(middle)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

void ClockCorrection::spread() {
    rises_.clear();
    for (std::size_t corner = corners_.size(); corner > 0;) {
        const Corner top = corners_[--corner];
        const u64 begin = begin_of_rise(corner);
        if (begin >= top.time) continue;
        rises_.push_back({{begin, jumped(begin)}, top});
    }
    std::reverse(rises_.begin(), rises_.end());
}

void ClockCorrection::limit(u64 time, u64 most) {
    const std::size_t number = rise_at(time);
    if (number == rises_.size() || time == rises_[number].front().time) return;
    Rise& rise = rises_[number];
    const Corner added{time, most - time};
    if (on_rise(rise, time) <= added.lift) return;
    auto next = std::lower_bound(rise.begin(), rise.end(), time,
                                 [](const Corner& it, u64 t) { return it.time < t; });
    if (next->time == time) {
        next->lift = added.lift;
    } else {
        next = rise.insert(next, added);
    }
    // What the new corner makes concave goes.
    while (next + 1 != rise.end() && next + 2 != rise.end() &&
           (next + 1)->lift >= on_line(*next, *(next + 2), (next + 1)->time)) {
        rise.erase(next + 1);
    }
    while (next != rise.begin() && next - 1 != rise.begin() &&
           (next - 1)->lift >= on_line(*(next - 2), *next, (next - 1)->time)) {
        next = rise.erase(next - 1);
    }
}

ProcessClocks::ProcessClocks(TraceFile& file) {
    const DefinitionIndex& definitions = file.definitions();
    std::unordered_map<u64, u32> numbers;  // by rank, or by location group where there is none
    for (u32 location = 0; location < file.location_count(); ++location) {
        const LocationDefinition& definition = definitions.locations()[location];
        const std::optional<u32> rank = definitions.world_rank(definition);
        const u64 key = rank ? *rank : definitions.world_size() + definition.group;
        const auto number = static_cast<u32>(numbers.size());
        process_of_.push_back(numbers.try_emplace(key, number).first->second);
        maps_.emplace_back(file, location);
    }
    corrections_.resize(numbers.size());
}

}  // namespace tracefold
