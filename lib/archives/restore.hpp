// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/parallel.hpp"
#include "base/types.hpp"
#include "file/trace_file.hpp"

#include <functional>
#include <memory>
#include <string>

namespace tracefold {

/// Substitute event times for a written archive, in nanoseconds from 0 on, without clock offsets.
struct Retiming {
    std::string origin;  ///< description of the times in the archive
    /// Returns the events of a location, with their new times.
    std::function<std::unique_ptr<RecordSource>(u32 location)> events;
};

/// The required equality of restored and original files.
enum class RestoredFiles {
    same_bytes,    ///< all bytes, if they were compared when the archive was folded
    same_records,  ///< the records, as FileEncoder encodes them
};

/// The anchor of the restored archive; a property marks synthetic times.
ArchiveInfo archive_as_restored(const TraceFile& file);

/// Writes the archive of a file into `directory`, which must be missing or empty, or (with `force`)
/// hold only an earlier archive of the same name, which is replaced. The archive appears complete
/// or not at all: it is written to a temporary folder and renamed. With summary().exact_bytes every
/// file is byte-identical to the original, for any number of threads; a checksum proves it. Returns
/// the number of events. Throws Error: io, corrupt; unsupported if the bytes differ, which another
/// byte order causes.
TRACEFOLD_API u64 restore_archive(TraceFile& file, const std::string& directory, bool force,
                                  const ProgressSink& progress, u32 threads = 0,
                                  RestoredFiles files = RestoredFiles::same_bytes);

/// Writes the archive with other times.
u64 restore_retimed(TraceFile& file, const std::string& directory, const Retiming& retiming);

}  // namespace tracefold
