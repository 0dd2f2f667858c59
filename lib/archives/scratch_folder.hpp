// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "base/parallel.hpp"
#include "base/temporary.hpp"
#include "file/trace_file.hpp"
#include "otf2/archive_files.hpp"
#include "otf2/archive_writer.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace tracefold {

/// A folder of its own for temporary files; rank 0 creates and removes it, with all that is in it.
class ScratchFolder {
  public:
    /// Collective. Throws Error(io) on all processes.
    ScratchFolder(Communicator& comm, const std::string& parent);
    /// Of this process alone.
    explicit ScratchFolder(const std::string& parent);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    void create(const std::string& parent);

    std::optional<Temporary> own_;  ///< on rank 0
    std::filesystem::path path_;
};

/// Where the files of an archive are written with libotf2 one after another, to be compared or
/// moved to their place. libotf2 looks a location up among all that it has written, so that the
/// archive is begun anew now and then.
class ScratchArchive {
  public:
    /// In a folder of its own in `parent`, which goes with this object.
    ScratchArchive(const std::string& parent, const ArchiveInfo& info);

    /// Before each location. What was written for those before may be gone. Throws Error(io).
    void next_location();
    /// Throws Error(io).
    ArchiveWriter& writer();
    /// Removes the files; what is written next is in another archive. Throws Error(io).
    void close();

    [[nodiscard]] const ArchiveFiles& files() const { return files_; }

  private:
    ScratchFolder folder_;
    const ArchiveInfo info_;
    ArchiveFiles files_;
    std::optional<ArchiveWriter> writer_;
    u32 locations_ = 0;
};

// Each unwinds one file of a location and writes it with libotf2, if the archive had it. Memory: a
// batch. Throw Error.
void write_local_definitions(TraceFile& file, ArchiveWriter& writer, u32 location);
void write_events(TraceFile& file, ArchiveWriter& writer, u32 location,
                  const ProgressSink& progress);

}  // namespace tracefold
