// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "archives/restore.hpp"
#include "core/progress_sink.hpp"
#include "format/kept_bytes.hpp"
#include "otf2/archive_files.hpp"
#include "otf2/archive_writer.hpp"
#include "trace/trace_file.hpp"

#include <atomic>
#include <optional>
#include <string>

namespace tracefold::inline archives {

/// Writes the anchor, definition and event files of an archive from a folded file: with libotf2,
/// and then as the bytes that are kept say. Several threads share the locations out.
class FileRestorer {
  public:
    /// The file must outlive this object; `directory` holds no archive of that name. Progress is
    /// told by one thread at a time. `threads`: 0 for one per core where there are events enough.
    FileRestorer(TraceFile& file, const std::string& directory, const ProgressSink& progress,
                 u32 threads, RestoredFiles files);

    /// Once. Returns the number of events. Throws Error as restore_archive().
    u64 run();

  private:
    void restore_locations();
    void count_locations();
    void restore_global_definitions();
    void check_bytes() const;

    TraceFile& file_;
    ProgressSink progress_;
    u32 threads_;
    std::optional<u64> proof_;  ///< the checksum that the files must have
    KeptBytes kept_;
    ArchiveFiles files_;
    ArchiveWriter writer_;
    std::atomic<u64> checksum_ = 0;
};

}  // namespace tracefold::inline archives
