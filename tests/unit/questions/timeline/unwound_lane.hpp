// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/thread_forks.hpp"
#include "questions/calls/tick_window.hpp"
#include "questions/structure/symbol_uses.hpp"
#include "questions/timeline/detail/lane_window.hpp"
#include "support/sample_file.hpp"

#include <map>
#include <random>

namespace tracefold {

constexpr const char* kViewSamples[] = {"micro-omphyb-4", "micro-rma-4", "micro-user-4",
                                        "made-cuda-2",    "npb-lu.S-4",  "tau-colls-4"};

/// For lanes, in bytes: more than the samples take.
constexpr std::size_t kViewRoom = 1U << 26U;

/// What a lane says, found by unwinding the location from its beginning and keeping everything.
struct UnwoundLane {
    struct Spent {
        u64 begin = 0;
        u64 end = 0;
        TimeUse use{};
    };

    std::vector<LaneItem> items;  ///< `symbol`: in the structure
    std::vector<SymbolUse> uses;  ///< by item
    std::vector<Spent> spent;
    std::vector<std::vector<u64>> around;  ///< by item: the calls that entered the open regions
    std::vector<LaneBox> boxes;            ///< by rising call; `symbol`: in the structure
    u64 end = 0;
};

inline UnwoundLane unwound_lane(TraceFile& file, const RegionUses& regions,
                                const CommonClock& clock, u32 location) {
    UnwoundLane all;
    CallReader calls(file, location);
    SymbolUses uses(file, regions, location);
    UseTracker tracker(is_worker(file, location), uses.on_stream());
    RegionStack<LaneScope> open;
    std::map<u64, LaneBox> boxes;
    u64 last = 0;
    const auto spend = [&](u64 begin, u64 end, TimeUse use) {
        if (begin < end) all.spent.push_back({begin, end, use});
    };
    for (u64 call = 0; calls.next(); ++call) {
        const SymbolUse& use = uses.of(calls);
        const RecordSpan records = calls.records();
        LaneItem item{calls.symbol_id(), clock.since_start(location, records[0].time)};
        item.begin = last = std::max(last, item.begin);
        const auto depth = static_cast<u32>(open.open().size());
        std::vector<u64> around;
        for (const LaneScope& scope : open.open()) around.push_back(scope.call);
        all.around.push_back(std::move(around));
        if (use.kind == CallKind::call) {
            item.duration = static_cast<i64>(records[records.size() - 1].time - records[0].time);
            boxes[call] = {call, item.symbol, depth, item.begin, item.end(), false, use.use};
        } else if (use.kind == CallKind::enter) {
            open.enter({use.region, item.symbol, call, item.begin}, use.is_mpi);
            boxes[call] = {call, item.symbol, depth, item.begin, ~u64{0}, true, use.use};
        } else if (use.kind == CallKind::leave) {
            for (const LaneScope& scope : open.leave(use.region)) {
                boxes[scope.call].end = item.begin;
                boxes[scope.call].open = false;
            }
        }
        tracker.take(use, {item.begin, item.end()}, item.offsets, spend);
        all.end = std::max(all.end, item.end());
        all.items.push_back(item);
        all.uses.push_back(use);
    }
    tracker.finish(all.end, spend);
    for (const auto& [call, box] : boxes) all.boxes.push_back(box);
    return all;
}

/// Every location of a sample, as a lane and unwound: `check(lane, unwound)`.
template <class Check>
void for_each_lane(const std::string& sample, const Check& check) {
    SampleFile file(sample, TimingLevel::exact);
    const RegionUses regions(*file);
    const CommonClock clock = common_clock(*file);
    for (u32 location = 0; location < file->location_count(); ++location) {
        SCOPED_TRACE(location);
        check(*make_lane(*file, regions, clock, location),
              file->index().script(Stream::events, location) == kNone
                  ? UnwoundLane()
                  : unwound_lane(*file, regions, clock, location));
    }
}

/// A window somewhere in the time of a lane, a ten-thousandth of it to all of it.
inline TickWindow random_window(std::mt19937_64& random, u64 begin, u64 end) {
    const u64 shortest = std::max<u64>(2, (end - begin) / 10000);
    u64 length = end - begin + 1;
    for (u64 halve = random() % 12; halve > 0; --halve) length = std::max(shortest, length / 3);
    const u64 room = end - begin + 1 > length ? end - begin + 1 - length : 0;
    const u64 from = begin + (room == 0 ? 0 : random() % (room + 1));
    return {from, from + length};
}

}  // namespace tracefold
