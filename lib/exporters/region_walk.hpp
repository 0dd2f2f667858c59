// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "query/call_names.hpp"
#include "trace/call_reader.hpp"
#include "trace/region_stack.hpp"

namespace tracefold {

/// Walks the records of a location as regions within regions, as a RegionStack has them. `visitor`
/// has
///   enter(u64 region, u64 ticks)          a region (global id) begins
///   leave(u64 region, u64 ticks)          the innermost open region ends
///   record(records, head, tables)         any other record
/// Regions still open at the end are left at the time of the last record. Calling contexts count as
/// their regions. Memory: open regions and what the events need. Throws Error(corrupt).
template <class Visitor>
void walk_regions(TraceFile& file, u32 location, Visitor& visitor) {
    CallReader calls(file, location);
    RegionStack<OpenRegion> open;
    u64 last = 0;
    const auto leave = [&visitor](std::span<const OpenRegion> ended, u64 ticks) {
        for (std::size_t i = ended.size(); i-- > 0;) visitor.leave(ended[i].region, ticks);
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
                visitor.record(records, head, calls.tables());
            }
        }
    }
    leave(open.open(), last);
}

}  // namespace tracefold
