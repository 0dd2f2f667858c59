// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi_calls/mapping_tables.hpp"
#include "pipeline/record_source.hpp"
#include "pipeline/trace_file.hpp"

#include <vector>

namespace tracefold {

/// Walks the records of a location as regions within regions. `visitor` has
///   enter(u64 region, u64 ticks)          a region (global id) begins
///   leave(u64 region, u64 ticks)          the innermost open region ends
///   record(batch, head, tables)           any other record
/// Regions that are left without having been entered are passed over; those still open at the end
/// are left at the time of the last record. Calling contexts count as their regions. Returns the
/// number of records. Memory: open regions and what the events need. Throws Error(corrupt).
template <class Visitor>
u64 walk_regions(TraceFile& file, u32 location, Visitor& visitor) {
    const MappingTables tables = file.mapping_tables(location);
    const DefinitionIndex& definitions = file.definitions();
    std::vector<u64> open;
    u64 records = 0;
    u64 last = 0;
    const auto leave = [&](u64 ticks) {
        visitor.leave(open.back(), ticks);
        open.pop_back();
    };
    drain(*file.events(location), [&](const RecordBatch& batch) {
        records += batch.size();
        for (const RecordBatch::Head& head : batch.heads()) {
            last = head.time;
            const u64 first = head.value_count == 0 ? 0 : batch.values(head)[0];
            switch (static_cast<EventType>(head.type)) {
                case EventType::Enter:
                    open.push_back(tables.global(FieldKind::region, first));
                    visitor.enter(open.back(), head.time);
                    break;
                case EventType::CallingContextEnter:
                    open.push_back(definitions.region_of_context(
                        tables.global(FieldKind::calling_context, first)));
                    visitor.enter(open.back(), head.time);
                    break;
                case EventType::Leave:
                case EventType::CallingContextLeave:
                    if (!open.empty()) leave(head.time);
                    break;
                default:
                    visitor.record(batch, head, tables);
            }
        }
    });
    while (!open.empty()) leave(last);
    return records;
}

}  // namespace tracefold
