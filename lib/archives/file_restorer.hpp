// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/progress_sink.hpp"
#include "otf2/archive_files.hpp"
#include "otf2/archive_writer.hpp"
#include "trace/trace_file.hpp"

#include <functional>
#include <string>

namespace tracefold {

/// Writes the anchor, definition and event files of an archive from a folded file: with libotf2,
/// and then as the bytes that are kept say.
class FileRestorer {
  public:
    /// The file must outlive this object; `directory` holds no archive of that name.
    FileRestorer(TraceFile& file, const std::string& directory, const ProgressSink& progress);

    /// Once. Returns the number of events. Throws Error: io, corrupt.
    u64 run();

  private:
    void restore(u64 number, bool events, const std::string& path,
                 const std::function<void()>& write);
    void restore_location(u32 location);
    /// Makes a file that is complete the original.
    void finish(u64 number, bool events, const std::string& path);

    TraceFile& file_;
    const ProgressSink& progress_;
    KeptBytes kept_;
    ArchiveFiles files_;
    ArchiveWriter writer_;
    u64 checksum_ = 0;
};

}  // namespace tracefold
