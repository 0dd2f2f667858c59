// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/location_restorer.hpp"

#include "archives/location_writer.hpp"
#include "archives/restore.hpp"
#include "core/error.hpp"
#include "io/file.hpp"
#include "otf2/file_difference.hpp"

#include <filesystem>

namespace tracefold::inline archives {

namespace {

void move_file(const std::string& from, const std::string& to) {
    std::error_code code;
    std::filesystem::rename(from, to, code);
    if (!code) return;
    throw Error(ErrorKind::io, "cannot move {} to {}: {}", from, to, code.message());
}

}  // namespace

u64 finish_restored(const TraceFile& file, const KeptBytes& kept, u64 number, bool events,
                    const std::string& path) {
    const KeptContent* const content = kept.find(number);
    const ArchiveInfo& archive = file.archive();
    if (content != nullptr && content->whole) {
        AtomicFile out(path, true);
        out.write(content->bytes);
        out.commit();
    } else if (content != nullptr) {
        apply_difference(
            path, content->bytes,
            {events, events ? archive.event_chunk_size : archive.definition_chunk_size});
    }
    return KeptBytes::share_of(number, file_checksum(path));
}

LocationRestorer::LocationRestorer(TraceFile& file, const KeptBytes& kept,
                                   const ArchiveFiles& target, const ProgressSink& progress)
    : file_(file),
      kept_(kept),
      target_(target),
      progress_(progress),
      scratch_(target.directory(), archive_as_restored(file)) {}

u64 LocationRestorer::restore(u32 location) {
    u64 checksum = 0;
    const u64 id = file_.definitions().locations()[location].id;
    const LocationFacts facts = file_.index().facts(location);
    const ArchiveFiles& written = scratch_.files();
    scratch_.next_location();
    if (facts.has_local_definition_file != 0) {
        checksum += restore(
            {id, local_definitions_file(location), false, written.local_definitions(id),
             target_.local_definitions(id)},
            [&](ArchiveWriter& writer) { write_local_definitions(file_, writer, location); });
    }
    if (facts.has_event_file != 0) {
        checksum += restore(
            {id, events_file(location), true, written.events(id), target_.events(id)},
            [&](ArchiveWriter& writer) { write_events(file_, writer, location, progress_); });
    }
    return checksum;
}

u64 LocationRestorer::restore(const Place& place,
                              const std::function<void(ArchiveWriter&)>& write) {
    const KeptContent* const kept = kept_.find(place.number);
    const bool whole = kept != nullptr && kept->whole;
    if (!whole) {
        write(scratch_.writer());
        scratch_.writer().close_location(place.location);
        move_file(place.scratch, place.target);
    }
    return finish_restored(file_, kept_, place.number, place.events, place.target);
}

}  // namespace tracefold::inline archives
