// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "query/call_names.hpp"
#include "trace/call_reader.hpp"
#include "trace/region_stack.hpp"

#include <utility>

namespace tracefold {

/// Walks the records of a location as regions within regions, as a RegionStack has them. `visitor`
/// has
///   enter(u64 region, u64 ticks)          a region (global id) begins
///   leave(u64 region, u64 ticks)          the innermost open region ends
///   record(records, head, tables)         any other record
/// Where the location goes on with another task, the regions of the suspended task are left, and
/// those of the other one are entered: once again, if it was suspended before. Regions still open
/// at the end are left at the time of the last record. Calling contexts count as their regions.
/// Returns how many regions were entered once again. Memory: open regions and what the events need.
/// Throws Error(corrupt).
template <class Visitor>
u64 walk_regions(TraceFile& file, u32 location, Visitor& visitor) {
    CallReader calls(file, location);
    RegionStack<OpenRegion> open;
    u64 last = 0;
    u64 again = 0;
    const auto leave = [&visitor](std::span<const OpenRegion> ended, u64 ticks) {
        for (std::size_t i = ended.size(); i-- > 0;) visitor.leave(ended[i].region, ticks);
    };
    const auto open_regions = [&open] { return std::as_const(open).open(); };
    const auto change_task = [&](const TaskChange& change) {
        leave(open_regions(), last);
        if (change.from_task) open.end_task();
        if (change.to_task) open.begin_task();
        for (const OpenVisit& visit : change.resumed) open.enter({visit.region}, visit.is_mpi);
        for (const OpenRegion& region : open_regions()) visitor.enter(region.region, last);
        again += open_regions().size();
    };
    while (calls.next()) {
        const RecordSpan records = calls.records();
        for (std::size_t i = 0; i < records.size(); ++i) {
            const RecordBatch::Head& head = records[i];
            last = head.time;
            if (is_enter(head.type)) {
                const CallReader::Region region = calls.region(i);
                open.enter({region.id}, region.is_mpi);
                visitor.enter(region.id, last);
            } else if (is_leave(head.type)) {
                leave(open.leave(calls.region(i).id), last);
            } else {
                const TaskChange* const change = calls.task_change(i);
                if (change != nullptr) change_task(*change);
                visitor.record(records, head, calls.tables());
            }
        }
    }
    leave(open_regions(), last);
    return again;
}

}  // namespace tracefold
