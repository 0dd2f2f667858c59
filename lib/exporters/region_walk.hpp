// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "query/call_names.hpp"
#include "trace/call_reader.hpp"
#include "trace/region_stack.hpp"

#include <utility>

namespace tracefold {

/// A region that a visitor of walk_regions() leaves.
struct VisitedRegion {
    u64 region = 0;  ///< global id
    u64 mark = 0;    ///< that enter() returned
    u32 depth = 0;   ///< regions around it; on a stream of an accelerator none
};

/// Walks the records of a location as regions within regions, as a RegionStack has them. `visitor`
/// has
///   u64 enter(u64 region, u64 ticks)      a region (global id) begins
///   leave(const VisitedRegion&, ticks)    a region ends: the innermost one, or on a stream of an
///                                         accelerator any
///   record(records, head, tables)         any other record
/// An explicit task runs within the regions of the implicit one. Where it is suspended, its regions
/// are left, and where it goes on, they are entered once again. Regions still open at the end are
/// left at the time of the last record. Calling contexts count as their regions. Returns how many
/// regions were entered once again. Memory: open regions and what the events need. Throws
/// Error(corrupt).
template <class Visitor>
u64 walk_regions(TraceFile& file, u32 location, Visitor& visitor) {
    CallReader calls(file, location);
    RegionStack<VisitedRegion> open(file.definitions().locations()[location].is_stream());
    u64 last = 0;
    u64 again = 0;
    const auto leave = [&visitor](std::span<const VisitedRegion> ended, u64 ticks) {
        for (std::size_t i = ended.size(); i-- > 0;) visitor.leave(ended[i], ticks);
    };
    const auto enter = [&](const CallReader::Region& region) {
        const std::size_t depth = open.overlaps() ? 0 : open.with_suspended().size();
        const u64 mark = visitor.enter(region.id, last);
        open.enter({region.id, mark, static_cast<u32>(depth)}, region.is_mpi);
    };
    const auto change_task = [&](const TaskChange& change) {
        if (change.from_task) {
            leave(std::as_const(open).open(), last);
            open.end_task();
        }
        if (change.to_task) open.begin_task();
        for (const OpenVisit& visit : change.resumed) {
            enter({visit.region, visit.is_mpi});
            ++again;
        }
    };
    while (calls.next()) {
        const RecordSpan records = calls.records();
        for (std::size_t i = 0; i < records.size(); ++i) {
            const RecordBatch::Head& head = records[i];
            last = head.time;
            if (is_enter(head.type)) {
                enter(calls.region(i));
            } else if (is_leave(head.type)) {
                leave(open.leave(calls.region(i).id), last);
            } else {
                const TaskChange* const change = calls.task_change(i);
                if (change != nullptr) change_task(*change);
                visitor.record(records, head, calls.tables());
            }
        }
    }
    leave(open.with_suspended(), last);
    return again;
}

}  // namespace tracefold
