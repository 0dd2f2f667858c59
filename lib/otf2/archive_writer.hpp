// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "model/archive_info.hpp"
#include "model/record_batch.hpp"

#include <memory>
#include <string>

namespace tracefold {

struct ArchiveWriterOptions {
    /// Restore the source's anchor file in finish(), if the written files equal the source's.
    /// libotf2 itself cannot write another version or a given trace id.
    bool restore_anchor = true;
};

/// Writes raw records as an OTF2 archive. The records of ArchiveReader from an OTF2 3.0 archive
/// give the same bytes. At most one event and one local definition file are open at a time, each
/// with two chunks in memory. Not thread-safe.
///
/// All functions throw Error: `io` (target exists, cannot be written), `corrupt` (a record does not
/// match the shape of its type, a value is too large for its field, ticks decrease). Without
/// finish() the archive has no anchor, which marks it as incomplete.
class ArchiveWriter {
  public:
    /// Creates `<directory>/<info.name>` with the chunk sizes, names and properties of `info`.
    /// Throws if the directory already holds an archive of that name.
    ArchiveWriter(const std::string& directory, const ArchiveInfo& info,
                  const ArchiveWriterOptions& options = {});
    ~ArchiveWriter();
    ArchiveWriter(ArchiveWriter&&) noexcept;
    ArchiveWriter& operator=(ArchiveWriter&&) noexcept;

    /// Appends global definitions; may be called repeatedly before finish().
    void write_global_definitions(const RecordBatch& batch);

    /// Appends local definitions of a location. The first call for a location creates its file,
    /// even with an empty batch, and closes the file of the previous location for good.
    void write_local_definitions(u64 location, const RecordBatch& batch);

    /// Appends events of a location; files are created and closed as in write_local_definitions().
    void write_events(u64 location, const RecordBatch& batch);

    /// Closes the files of a location early; no effect if none is open.
    void close_location(u64 location);

    /// Completes the archive. No writes afterwards.
    void finish();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tracefold
