// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "query/call_names.hpp"
#include "trace/call_reader.hpp"
#include "trace/region_stack.hpp"

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
/// Regions still open at the end are left at the time of the last record. Calling contexts count as
/// their regions. Memory: open regions and what the events need. Throws Error(corrupt).
template <class Visitor>
void walk_regions(TraceFile& file, u32 location, Visitor& visitor) {
    CallReader calls(file, location);
    RegionStack<VisitedRegion> open(file.definitions().locations()[location].is_stream());
    u64 last = 0;
    const auto leave = [&](std::span<const VisitedRegion> ended, u64 ticks) {
        for (std::size_t i = ended.size(); i-- > 0;) visitor.leave(ended[i], ticks);
    };
    while (calls.next()) {
        const RecordSpan records = calls.records();
        for (std::size_t i = 0; i < records.size(); ++i) {
            const RecordBatch::Head& head = records[i];
            last = head.time;
            if (is_enter(head.type)) {
                const CallReader::Region region = calls.region(i);
                const u64 mark = visitor.enter(region.id, last);
                const std::size_t depth = open.overlaps() ? 0 : open.open().size();
                open.enter({region.id, mark, static_cast<u32>(depth)}, region.is_mpi);
            } else if (is_leave(head.type)) {
                leave(open.leave(calls.region(i).id), last);
            } else {
                visitor.record(records, head, calls.tables());
            }
        }
    }
    leave(open.open(), last);
}

}  // namespace tracefold
