// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "model/archive_info.hpp"
#include "model/record_batch.hpp"
#include "otf2/archive_files.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tracefold {

struct ArchiveReaderOptions {
    /// Skip and count records whose type libotf2 does not know, instead of refusing the archive.
    bool drop_unknown = false;
};

/// Reads an OTF2 archive raw and completely, events mostly without libotf2: ids as stored (no
/// mapping tables applied), ticks as stored (no clock correction), every record in source order.
/// One file is open at a time, and only within a call; every call starts afresh, so any order and
/// any repetition is allowed. Memory: one chunk of the archive and two batches. Not thread-safe;
/// several readers in several threads are fine.
///
/// Sinks are called outside libotf2 and may throw; the batch is valid during the call only. All
/// functions throw Error: `io` (missing, unreadable), `corrupt`, `unsupported` (compression, other
/// substrates, records of unknown types). libotf2's own messages never reach stderr; the
/// first one becomes part of the error.
class ArchiveReader {
  public:
    using Sink = std::function<void(const RecordBatch&)>;
    /// Few enough records that a batch and what is made of it stay in the cache of a core.
    static constexpr std::size_t kBatchSize = 1024;

    /// Opens an anchor file, or the only "*.otf2" file of a folder.
    explicit ArchiveReader(const std::string& path, const ArchiveReaderOptions& options = {});
    ~ArchiveReader();
    ArchiveReader(ArchiveReader&&) noexcept;
    ArchiveReader& operator=(ArchiveReader&&) noexcept;

    /// Another reader of the same archive, for another thread. It knows the locations that this one
    /// knows, and counts unknown records anew.
    [[nodiscard]] ArchiveReader clone_reader() const;

    [[nodiscard]] const ArchiveInfo& info() const;
    /// Where its files are.
    [[nodiscard]] const ArchiveFiles& files() const;

    /// Passes all global definitions on. An archive with more or fewer than its anchor says is
    /// refused. Locations become known by this call, see read_events().
    void read_global_definitions(const Sink& sink);

    /// True if the location had a local definition file when the archive was opened; not all have
    /// one.
    [[nodiscard]] bool has_local_definitions(u64 location) const;
    /// True if the location had an event file then; one without events need not.
    [[nodiscard]] bool has_events(u64 location) const;

    /// Passes all local definitions of a location on and returns their number; 0 without a file.
    u64 read_local_definitions(u64 location, const Sink& sink);

    /// Passes all events of a location on, `batch_size` (> 0) at a time, and returns their number,
    /// which may differ from Location.number_of_events. A missing file is an error unless the
    /// global definitions, read before, say that the location has no events. A damaged file is an
    /// error after the batches before the damage have been delivered.
    u64 read_events(u64 location, const Sink& sink, std::size_t batch_size = kBatchSize);

    // The same by libotf2 alone: the functions above decode themselves what they know, and these
    // check them.
    u64 read_local_definitions_by_libotf2(u64 location, const Sink& sink);
    u64 read_events_by_libotf2(u64 location, const Sink& sink);

    /// Number of records of unknown type skipped so far; 0 unless `drop_unknown`.
    [[nodiscard]] u64 unknown_records() const;

    /// Files of the archive that can only be carried as bytes, relative to info().directory,
    /// sorted: markers, snapshots, thumbnails, and files of locations that are not in `locations`.
    [[nodiscard]] std::vector<std::string> companion_files(const std::vector<u64>& locations) const;

    /// All other files below info().directory (configuration, profiles, ...), relative, sorted.
    [[nodiscard]] std::vector<std::string> extra_files() const;

  private:
    struct Impl;
    explicit ArchiveReader(std::unique_ptr<Impl> impl);

    std::unique_ptr<Impl> impl_;
};

}  // namespace tracefold
