// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/parallel.hpp"
#include "base/temporary.hpp"
#include "file/trace_file.hpp"
#include "otf2/archive_files.hpp"
#include "otf2/archive_writer.hpp"

#include <optional>
#include <string>

namespace tracefold {

/// A temporary archive for files that libotf2 writes and that are then compared or moved. libotf2
/// searches all written locations for each one: begins a new archive from time to time.
class ScratchArchive {
  public:
    /// Uses a private folder in `parent`, which the destructor removes.
    ScratchArchive(const std::string& parent, const ArchiveInfo& info);

    /// Call before each location. Files of previous locations may be removed. Throws Error(io).
    void next_location();
    /// Throws Error(io).
    ArchiveWriter& writer();
    /// Removes the files; begins another archive for the next ones. Throws Error(io).
    void close();

    [[nodiscard]] const ArchiveFiles& files() const { return files_; }

  private:
    ScratchFolder folder_;
    const ArchiveInfo info_;
    ArchiveFiles files_;
    std::optional<ArchiveWriter> writer_;
    u32 locations_ = 0;
};

// Each writes one file of a location with libotf2, if the archive had it. Memory: a batch.
void write_local_definitions(TraceFile& file, ArchiveWriter& writer, u32 location);
void write_events(TraceFile& file, ArchiveWriter& writer, u32 location,
                  const ProgressSink& progress);

}  // namespace tracefold
