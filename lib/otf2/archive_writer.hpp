// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "model/archive_info.hpp"
#include "model/record_batch.hpp"
#include "otf2/archive_files.hpp"

#include <memory>
#include <string>

namespace tracefold {

/// Creates the folder of an archive and those above it. Throws Error(io), also if the directory
/// already holds an archive of that name.
void create_archive_folder(const ArchiveFiles& files);

/// Writes the anchor file of a complete archive with `locations` locations that have files and
/// `definitions` global definitions: the source's if that had the same number; otherwise one as
/// libotf2 writes it, with a trace id that depends on `content`. Throws Error(io).
void write_anchor(const ArchiveFiles& files, ArchiveInfo info, u64 locations, u64 definitions,
                  u64 content);

struct ArchiveWriterOptions {
    /// Restore the source's anchor file in finish(), see write_anchor().
    bool restore_anchor = true;
};

/// Writes raw records as an OTF2 archive, with the bytes of FileEncoder: the records of an archive
/// that libotf2 3.x wrote give the same bytes. At most one event and one local definition file are
/// open at a time, each with a chunk in memory. Not thread-safe.
///
/// All functions throw Error: `io` (target exists, cannot be written), `corrupt` as FileEncoder.
/// Without finish() the archive has no anchor, which marks it as incomplete.
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
