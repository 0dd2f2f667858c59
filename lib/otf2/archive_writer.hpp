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
    /// Put the source's anchor file back in finish(), if the files written are the same as the
    /// source's. libotf2 itself can write neither another version nor a given trace id.
    bool restore_anchor = true;
};

/// Writes raw records as an OTF2 archive. Fed with what ArchiveReader delivers from an archive of
/// OTF2 3.0, it writes the same bytes. At most one event and one local definition file are open at
/// a time, each with two chunks in memory. Not thread-safe.
///
/// All functions throw Error: `io` (target exists, cannot be written), `corrupt` (a record does not
/// have the shape of its type, a value is too large for its field, ticks that decrease).
/// An archive without finish() is left without an anchor, so that nobody takes it for complete.
class ArchiveWriter {
  public:
    /// Creates `<directory>/<info.name>` with the chunk sizes, names and properties of `info`.
    /// Refuses if the directory holds an archive of that name already.
    ArchiveWriter(const std::string& directory, const ArchiveInfo& info,
                  const ArchiveWriterOptions& options = {});
    ~ArchiveWriter();
    ArchiveWriter(ArchiveWriter&&) noexcept;
    ArchiveWriter& operator=(ArchiveWriter&&) noexcept;

    /// Appends global definitions; any number of calls, at any time before finish().
    void write_global_definitions(const RecordBatch& batch);

    /// Appends local definitions of a location. The first call for a location creates its file,
    /// even with an empty batch, and closes that of the location before, which then is complete.
    void write_local_definitions(u64 location, const RecordBatch& batch);

    /// Appends events of a location; files are created and closed as for local definitions.
    void write_events(u64 location, const RecordBatch& batch);

    /// Closes the files of a location early; does nothing if none is open.
    void close_location(u64 location);

    /// Completes the archive. Nothing may be written afterwards.
    void finish();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tracefold
