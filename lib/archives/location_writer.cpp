// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/location_writer.hpp"

namespace tracefold::inline archives {

void write_local_definitions(TraceFile& file, ArchiveWriter& writer, u32 location) {
    if (file.index().facts(location).has_local_definition_file == 0) return;
    const u64 id = file.definitions().locations()[location].id;
    writer.write_local_definitions(id, {});
    drain(*file.local_definitions(location),
          [&](const RecordBatch& batch) { writer.write_local_definitions(id, batch); });
}

void write_events(TraceFile& file, ArchiveWriter& writer, u32 location,
                  const ProgressSink& progress) {
    if (file.index().facts(location).has_event_file == 0) return;
    const u64 id = file.definitions().locations()[location].id;
    writer.write_events(id, {});
    drain(*file.events(location), [&](const RecordBatch& batch) {
        writer.write_events(id, batch);
        if (progress) progress(batch.size());
    });
}

}  // namespace tracefold::inline archives
