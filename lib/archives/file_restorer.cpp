// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/file_restorer.hpp"

#include "archives/location_writer.hpp"
#include "archives/restore.hpp"
#include "core/error.hpp"
#include "io/file.hpp"
#include "otf2/file_difference.hpp"

namespace tracefold {

namespace {

void write_whole(const std::string& path, std::string_view bytes) {
    AtomicFile file(path, true);
    file.write(bytes);
    file.commit();
}

}  // namespace

FileRestorer::FileRestorer(TraceFile& file, const std::string& directory,
                           const ProgressSink& progress)
    : file_(file),
      progress_(progress),
      kept_(file.kept_bytes()),
      files_(directory, file.archive().name),
      writer_(directory, archive_as_restored(file)) {}

u64 FileRestorer::run() {
    u64 events = 0;
    for (u32 location = 0; location < file_.location_count(); ++location) {
        restore_location(location);
        events += file_.index().facts(location).events;
    }
    const KeptContent* const definitions = kept_.find(kGlobalDefinitionsFile);
    const bool whole = definitions != nullptr && definitions->whole;
    if (!whole) {
        drain(*file_.global_definitions(),
              [this](const RecordBatch& batch) { writer_.write_global_definitions(batch); });
    }
    writer_.finish();
    if (whole) write_whole(files_.anchor(), file_.archive().anchor_bytes);
    finish(kGlobalDefinitionsFile, false, files_.global_definitions());
    if (checksum_ == kept_.checksum()) return events;
    throw Error(ErrorKind::corrupt,
                "the files of " + file_.archive().name + " written anew are not the original " +
                    "ones: they were compared with another release of libotf2; restore with that");
}

void FileRestorer::restore_location(u32 location) {
    const u64 id = file_.definitions().locations()[location].id;
    const LocationFacts facts = file_.index().facts(location);
    if (facts.has_local_definition_file != 0) {
        restore(local_definitions_file(location), false, files_.local_definitions(id), [&] {
            write_local_definitions(file_, writer_, location);
            writer_.close_location(id);
        });
    }
    if (facts.has_event_file != 0) {
        restore(events_file(location), true, files_.events(id), [&] {
            write_events(file_, writer_, location, progress_);
            writer_.close_location(id);
        });
    }
}

void FileRestorer::restore(u64 number, bool events, const std::string& path,
                           const std::function<void()>& write) {
    const KeptContent* const kept = kept_.find(number);
    if (kept == nullptr || !kept->whole) write();
    finish(number, events, path);
}

void FileRestorer::finish(u64 number, bool events, const std::string& path) {
    const KeptContent* const kept = kept_.find(number);
    if (kept == nullptr) return;
    const ArchiveInfo& archive = file_.archive();
    if (kept->whole) {
        write_whole(path, kept->bytes);
    } else {
        apply_difference(
            path, kept->bytes,
            {events, events ? archive.event_chunk_size : archive.definition_chunk_size});
    }
    checksum_ += KeptBytes::share_of(number, file_checksum(path));
}

}  // namespace tracefold
