// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/calls/tick_window.hpp"

#include "base/error.hpp"
#include "file/call_reader.hpp"
#include "questions/system/system_tree.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

/// Processes of a node that read one clock measure offsets that differ by less than this: by
/// milliseconds on oversubscribed nodes.
constexpr double kNoiseSeconds = 0.1;

std::vector<ClockMap> maps_of_locations(TraceFile& file) {
    std::vector<ClockMap> maps;
    maps.reserve(file.location_count());
    for (u32 location = 0; location < file.location_count(); ++location) {
        maps.emplace_back(file, location);
    }
    return maps;
}

/// By process: its first location with offsets, else its first location.
std::vector<u32> clocks_of_processes(const ParticipantNames& names,
                                     const std::vector<ClockMap>& maps, std::size_t processes) {
    std::vector<u32> clocks(processes, kNone);
    for (u32 location = 0; location < maps.size(); ++location) {
        const u32 process = names.process(location);
        if (process >= processes) continue;
        u32& clock = clocks[process];
        if (clock == kNone || (maps[clock].empty() && !maps[location].empty())) clock = location;
    }
    return clocks;
}

}  // namespace

CommonClock common_clock(TraceFile& file) {
    const ParticipantNames names(file.definitions());
    const RankGroups nodes = rank_groups(file, names, GroupBy::node);
    std::vector<ClockMap> maps = maps_of_locations(file);
    const std::vector<u32> of_process = clocks_of_processes(names, maps, nodes.group_of.size());
    const auto noise = static_cast<u64>(file.definitions().tick_rate().ticks(kNoiseSeconds));
    std::vector<std::vector<u32>> clocks_of_node(nodes.size());
    std::vector<u32> owners(file.location_count());
    for (u32 location = 0; location < owners.size(); ++location) {
        const u32 process = names.process(location);
        const bool has_process = process < nodes.group_of.size();
        u32& owner = owners[location];
        owner = has_process && maps[location].empty() ? of_process[process] : location;
        if (!has_process || nodes.group_of[process] == nodes.unknown) continue;
        std::vector<u32>& clocks = clocks_of_node[nodes.group_of[process]];
        const auto near = std::ranges::find_if(
            clocks, [&](u32 clock) { return maps[owner].is_near(maps[clock], noise); });
        if (near == clocks.end()) {
            clocks.push_back(owner);
        } else {
            owner = *near;
        }
    }
    return {file, std::move(owners), std::move(maps)};
}

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
                    "cannot select by time: the file does not keep the time of every record");
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
