// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "archives/scratch_archive.hpp"
#include "core/progress_sink.hpp"
#include "format/kept_bytes.hpp"
#include "otf2/archive_files.hpp"
#include "trace/trace_file.hpp"

#include <functional>
#include <string>

namespace tracefold::inline archives {

/// Makes a file that libotf2 has written the original, as the bytes that are kept of it say.
/// Returns its share of KeptBytes::checksum(). Throws Error: io, corrupt.
u64 finish_restored(const TraceFile& file, const KeptBytes& kept, u64 number, bool events,
                    const std::string& path);

/// Writes the files of locations, one location after another: in a scratch folder within the
/// archive's own, from where each is moved to its place when it is complete. Several may work for
/// the same archive side by side, each with a TraceFile of its own.
class LocationRestorer {
  public:
    /// All must outlive this object; the archive's folder exists.
    LocationRestorer(TraceFile& file, const KeptBytes& kept, const ArchiveFiles& target,
                     const ProgressSink& progress);

    /// Each location once. Returns the share of its files in KeptBytes::checksum(). Throws Error:
    /// io, corrupt.
    u64 restore(u32 location);

  private:
    struct Place {
        u64 location;  ///< by its id
        u64 number;    ///< of the file, as in KeptBytes
        bool events;
        std::string scratch;
        std::string target;
    };

    u64 restore(const Place& place, const std::function<void(ArchiveWriter&)>& write);

    TraceFile& file_;
    const KeptBytes& kept_;
    const ArchiveFiles& target_;
    const ProgressSink& progress_;
    ScratchArchive scratch_;
};

}  // namespace tracefold::inline archives
