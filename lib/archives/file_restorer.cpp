// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/file_restorer.hpp"

#include "archives/location_restorer.hpp"
#include "archives/restore.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "io/file.hpp"
#include "trace/location_blocks.hpp"

#include <memory>

namespace tracefold::inline archives {

FileRestorer::FileRestorer(TraceFile& file, const std::string& directory,
                           const ProgressSink& progress, u32 threads, RestoredFiles files)
    : file_(file),
      progress_(one_at_a_time(progress)),
      threads_(useful_threads(file.definitions().locations(), threads)),
      files_(directory, file.archive().name),
      writer_(directory, archive_as_restored(file)) {
    const std::optional<KeptBytes> kept = file.kept_bytes();
    if (!kept) return;
    const bool exact = files == RestoredFiles::same_bytes;
    kept_ = exact ? *kept : kept->only_whole_files();
    if (exact) proof_ = kept->checksum();
}

u64 FileRestorer::run() {
    if (archive_as_restored(file_).anchor_bytes.empty()) count_locations();
    restore_locations();
    restore_global_definitions();
    check_bytes();
    u64 events = 0;
    for (u32 location = 0; location < file_.location_count(); ++location) {
        events += file_.index().facts(location).events;
    }
    return events;
}

void FileRestorer::check_bytes() const {
    if (!proof_ || *proof_ == checksum_) return;
    throw Error(
        ErrorKind::unsupported,
        "the files of {} would have all records but not the bytes of the original: the libotf2 "
        "here is another release than the one that they were compared with, or this processor "
        "has another byte order; restore there, or take the files as they are "
        "(--no-exact-bytes)",
        file_.archive().name);
}

/// The anchor that libotf2 writes says how many locations it has written files of.
void FileRestorer::count_locations() {
    for (u32 location = 0; location < file_.location_count(); ++location) {
        const u64 id = file_.definitions().locations()[location].id;
        const LocationFacts facts = file_.index().facts(location);
        if (facts.has_event_file != 0) {
            writer_.write_events(id, {});
        } else if (facts.has_local_definition_file != 0) {
            writer_.write_local_definitions(id, {});
        }
        writer_.close_location(id);
    }
}

void FileRestorer::restore_locations() {
    run_each_with(threads_, file_.location_count(), [this] {
        const auto restorer = std::make_shared<LocationRestorer>(file_, kept_, files_, progress_);
        return [this, restorer](u32 location) { checksum_ += restorer->restore(location); };
    });
}

void FileRestorer::restore_global_definitions() {
    const KeptContent* const definitions = kept_.find(kGlobalDefinitionsFile);
    const bool whole = definitions != nullptr && definitions->whole;
    if (!whole) {
        drain(*file_.global_definitions(),
              [this](const RecordBatch& batch) { writer_.write_global_definitions(batch); });
    }
    writer_.finish();
    if (whole) {
        AtomicFile anchor(files_.anchor(), true);
        anchor.write(file_.archive().anchor_bytes);
        anchor.commit();
    }
    checksum_ +=
        finish_restored(file_, kept_, kGlobalDefinitionsFile, false, files_.global_definitions());
}

}  // namespace tracefold::inline archives
