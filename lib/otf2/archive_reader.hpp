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
    /// Skip and count records of types unknown to libotf2, instead of refusing the archive.
    bool drop_unknown = false;
};

/// Reads an OTF2 archive raw and completely, events mostly without libotf2: ids as stored (no
/// mapping tables applied), ticks as stored (no clock correction), every record in source order.
/// Files are open only within a call, one at a time; calls are independent, so any order and
/// repetition is allowed. Memory: one chunk of the archive and two batches. Not thread-safe; use
/// one reader per thread.
///
/// Sinks are called outside libotf2 and may throw; the batch is valid during the call only. All
/// functions throw Error: `io` (missing, unreadable), `corrupt`, `unsupported` (compression, other
/// substrates, records of unknown types). libotf2's own messages never reach stderr; the first one
/// becomes part of the error.
class ArchiveReader {
  public:
    using Sink = std::function<void(const RecordBatch&)>;
    /// Small enough that a batch and its derived data fit into a core's cache.
    static constexpr std::size_t kBatchSize = 1024;

    /// Opens an anchor file, or the only "*.otf2" file of a folder.
    explicit ArchiveReader(const std::string& path, const ArchiveReaderOptions& options = {});
    ~ArchiveReader();
    ArchiveReader(ArchiveReader&&) noexcept;
    ArchiveReader& operator=(ArchiveReader&&) noexcept;

    /// Another reader of the archive, for another thread. It has the known locations of this one
    /// and a new count of unknown records.
    [[nodiscard]] ArchiveReader clone_reader() const;

    [[nodiscard]] const ArchiveInfo& info() const;
    [[nodiscard]] const ArchiveFiles& files() const;

    /// Passes all global definitions to the sink. Throws Error(corrupt) if their number differs
    /// from the anchor's. Also registers the locations, see read_events().
    void read_global_definitions(const Sink& sink);

    /// True if the location had a local definition file when the archive was opened.
    [[nodiscard]] bool has_local_definitions(u64 location) const;
    /// True if the location had an event file when the archive was opened.
    [[nodiscard]] bool has_events(u64 location) const;

    /// Passes all local definitions of a location to the sink; returns their number, 0 without a
    /// file.
    u64 read_local_definitions(u64 location, const Sink& sink);

    /// Passes all events of a location to the sink, `batch_size` (> 0) at a time, and returns their
    /// number, which may differ from Location.number_of_events. A missing file is an error unless
    /// the global definitions, read before, declare no events. A damaged file throws after the
    /// batches before the damage.
    u64 read_events(u64 location, const Sink& sink, std::size_t batch_size = kBatchSize);

    // Read with libotf2 alone, to verify the functions above, which decode most records themselves.
    u64 read_local_definitions_by_libotf2(u64 location, const Sink& sink);
    u64 read_events_by_libotf2(u64 location, const Sink& sink);

    /// Number of records of unknown type skipped so far; 0 unless `drop_unknown`.
    [[nodiscard]] u64 unknown_records() const;

    /// Archive files that can only be copied as bytes, relative to info().directory, sorted:
    /// markers, snapshots, thumbnails, and files of locations that are not in `locations`.
    [[nodiscard]] std::vector<std::string> companion_files(const std::vector<u64>& locations) const;

    /// All other files below info().directory (configuration, profiles, ...), relative, sorted.
    [[nodiscard]] std::vector<std::string> extra_files() const;

  private:
    struct Impl;
    explicit ArchiveReader(std::unique_ptr<Impl> impl);

    std::unique_ptr<Impl> impl_;
};

}  // namespace tracefold
